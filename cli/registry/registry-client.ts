import type { EntryStatus } from '../../sources/model/entry.ts';
import type { PlainObject } from '../../sources/model/plain-object.ts';
import type { ServerJson } from '../../sources/model/server-json.ts';

/** One version of a server of a registry. */
export interface RegistryEntry {
  readonly name: string;
  readonly version: string;
  readonly status: EntryStatus;
  readonly statusMessage?: string;
  readonly server: ServerJson;
  /** `_meta` of the server and of the envelope it came in. */
  readonly meta: PlainObject;
}

export type FoundEntry =
  | { readonly kind: 'found'; readonly entry: RegistryEntry }
  /** `nearest` are names for "did you mean"; `versions` are those there are when only the version is unknown. */
  | {
      readonly kind: 'missing';
      readonly nearest: readonly string[];
      readonly versions?: readonly string[];
    }
  /** A short name that several servers end with. */
  | { readonly kind: 'ambiguous'; readonly names: readonly string[] };

/** The registry that `run` and `registry` commands look into, wherever it is. */
export interface RegistryClient {
  /** URL, absolute path, or `sample`: what is told to people and kept in plans. */
  readonly location: string;
  /**
   * @param name `namespace/name`, or a name that exactly one server ends with (`fetch` for `io.example/fetch`)
   * @param version absent: the latest
   * @throws BerthError codes `registry_*` when the registry cannot answer
   */
  find(name: string, version?: string): Promise<FoundEntry>;
  /** The latest versions whose name, title or description holds the words. @throws BerthError `registry_*` */
  search(query: string): Promise<readonly RegistryEntry[]>;
  /** The latest version of every server. @throws BerthError `registry_*` */
  list(): Promise<readonly RegistryEntry[]>;
}
