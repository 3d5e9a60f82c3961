import type { ClusterEntry } from '../../sources/kinds/kubernetes/translate-resource.ts';
import { claimsKey, normalizeClaims } from '../../sources/model/claims.ts';
import { ManagedSource, OverlaySegment } from '../overlay/overlay-segment.ts';
import type { StoredVersion } from '../overlay/overlay-store.ts';

interface Known {
  readonly stored: StoredVersion;
  readonly claims: string;
}

/** The entries of one kubernetes source in memory, changed only where the cluster changed. */
export class ClusterTables {
  readonly #tables: ManagedSource;
  readonly #known = new Map<string, Known>();
  #isNew = true;

  constructor(source: string) {
    this.#tables = new ManagedSource(source);
  }

  /**
   * Makes the tables hold these entries. The times of an entry move only when it changed: at first they are those the
   * cluster knows, so that a restart moves none.
   * @param at.isComplete false: parts of the cluster could not be read yet, so what is not among the entries stays
   * @returns the segment to serve, in the same turn, from now on; undefined when nothing changed
   */
  apply(
    entries: readonly ClusterEntry[],
    { now, isComplete }: { readonly now: number; readonly isComplete: boolean },
  ): OverlaySegment | undefined {
    const isFirst = this.#isNew;
    this.#isNew = false;
    const names = new Set(entries.map((entry) => entry.name));
    const gone = isComplete ? [...this.#known.keys()].filter((name) => !names.has(name)) : [];
    for (const name of gone) this.#remove(name);
    const changed = entries.filter((entry) => this.#put(entry, now, isFirst));
    if (!isFirst && gone.length === 0 && changed.length === 0) return undefined;
    if (!isFirst) this.#tables.touch(now);
    return new OverlaySegment(this.#tables, 'kubernetes');
  }

  #remove(name: string): void {
    this.#tables.removeEntry('server', name);
    this.#known.delete(name);
  }

  /** Whether the entry is new or differs from what was known. */
  #put(entry: ClusterEntry, now: number, isFirst: boolean): boolean {
    const { name, claims } = entry;
    const key = claimsKey(normalizeClaims(claims));
    const known = this.#known.get(name);
    const body = JSON.stringify(entry.body);
    if (known && known.stored.body === body) {
      if (known.claims === key) return false;
      this.#tables.keepClaims('server', name, claims);
      this.#tables.servers.changeClaims(name, this.#tables.classes.intern(claims), now);
      this.#known.set(name, { ...known, claims: key });
      return true;
    }
    const stored = makeVersion(entry, body, known?.stored, now);
    if (known) this.#tables.removeEntry('server', name);
    this.#tables.addEntry({
      source: this.#tables.source,
      type: 'server',
      name,
      claims,
      claimsChangedAt: isFirst ? stored.updatedAt : now,
      versions: [stored],
    });
    this.#known.set(name, { stored, claims: key });
    return true;
  }
}

function makeVersion(
  { version, tags, tools, status, publishedAt, updatedAt }: ClusterEntry,
  body: string,
  before: StoredVersion | undefined,
  now: number,
): StoredVersion {
  const published = Math.min(now, before ? firstSeen(before, version, now) : (publishedAt ?? now));
  // A clock that stands still or goes back must not hide the change from who asks for what changed since.
  const updated = before ? Math.max(now, before.updatedAt + 1) : Math.min(now, updatedAt ?? published);
  return {
    version,
    body,
    tags,
    tools,
    status,
    publishedAt: published,
    updatedAt: updated,
    statusChangedAt: published,
  };
}

/** A resource has one version at a time: another one is published now. */
function firstSeen(before: StoredVersion, version: string, now: number): number {
  return before.version === version ? before.publishedAt : now;
}
