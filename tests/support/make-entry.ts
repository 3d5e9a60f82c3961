import type { CatalogEntry, EntryStatus, SkillFile } from '../../sources/model/entry.ts';

export interface EntryExtras {
  readonly status?: EntryStatus;
  readonly statusMessage?: string;
  readonly publishedAt?: number;
  readonly updatedAt?: number;
  readonly statusChangedAt?: number;
  readonly vendorMeta?: Readonly<Record<string, unknown>>;
  readonly tags?: readonly string[];
  readonly tools?: readonly string[];
  readonly files?: readonly SkillFile[];
  /** Members of the body besides name, version and description, or instead of them. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A server version as a catalog gives it. */
export function makeServer(name: string, version = '1.0.0', extras: EntryExtras = {}): CatalogEntry {
  const { body, ...more } = extras;
  return {
    type: 'server',
    name,
    version,
    body: { name, description: `About ${name}`, version, ...body },
    status: 'active',
    tags: [],
    tools: [],
    file: 'registry.json',
    line: 1,
    ...more,
  };
}

/** A skill version; `name` is `namespace/name`. */
export function makeSkill(name: string, version = '1.0.0', extras: EntryExtras = {}): CatalogEntry {
  const [namespace, bare] = name.split('/');
  const { body, ...more } = extras;
  return {
    ...makeServer(name, version, more),
    type: 'skill',
    body: { namespace, name: bare, description: `Skill ${bare}`, version, ...body },
  };
}

/** A file of a skill. */
export function makeFile(path: string, text: string): SkillFile {
  return { path, bytes: new TextEncoder().encode(text) };
}
