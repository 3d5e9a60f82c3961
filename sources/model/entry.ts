/** What an entry is (specification 2.4). */
export type EntryType = 'server' | 'skill';

/** States of a version; `deleted` is hidden unless asked for (contract 5). */
export type EntryStatus = 'active' | 'deprecated' | 'deleted';

/** One file of a skill, its path relative to the skill's directory with `/` between parts. */
export interface SkillFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** One version of one entry as a catalog gave it, validated. Times are milliseconds since the epoch. */
export interface CatalogEntry {
  readonly type: EntryType;
  /** `namespace/name`, for skills too. */
  readonly name: string;
  readonly version: string;
  /** The server.json or skill object, every member as it was given. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly status: EntryStatus;
  readonly statusMessage?: string;
  /** Times given by an upstream registry; absent ones are filled when a bundle is first seen. */
  readonly publishedAt?: number;
  readonly updatedAt?: number;
  readonly statusChangedAt?: number;
  /** Members of the envelope's `_meta` besides the official block and our own. */
  readonly vendorMeta?: Readonly<Record<string, unknown>>;
  /** From publisher-provided `<vendor>.<id>.tags` and `.tools` (contract 12.4). */
  readonly tags: readonly string[];
  readonly tools: readonly string[];
  /** Only for skills read from a directory: SKILL.md first, then the others by path. */
  readonly files?: readonly SkillFile[];
  readonly file: string;
  readonly line: number;
}

/** An entry that was left out, and why (contract 12.5). */
export interface Rejection {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** What a catalog holds after validation. */
export interface Catalog {
  readonly entries: readonly CatalogEntry[];
  readonly rejected: readonly Rejection[];
}
