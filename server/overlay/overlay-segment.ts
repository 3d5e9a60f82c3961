import type { ClaimSet, Claims } from '../../sources/model/claims.ts';
import type { EntryType } from '../../sources/model/entry.ts';
import type { EntryTable, NameChange, Segment } from '../../sources/model/entry-table.ts';
import { nextGeneration } from '../view/bundle-segment.ts';
import { ChangeJournal } from './change-journal.ts';
import { ClaimsClasses } from './claims-classes.ts';
import type { StoredEntry } from './overlay-store.ts';
import { OverlayTable } from './overlay-table.ts';

/**
 * A source whose entries carry claims of their own (managed, kubernetes) as views read it, at one moment. Cheap to make: it shares its tables with the segments before and
 * after it. After a change the tables hold the change and only the newest segment may be read (see `OverlayTable`).
 */
export class OverlaySegment implements Segment {
  readonly source: string;
  readonly servers: EntryTable;
  readonly skills: EntryTable;
  readonly classes: readonly ClaimSet[];
  readonly generation = nextGeneration();
  readonly origin: string;
  readonly lastModified: number;
  readonly #journal: ChangeJournal | undefined;

  /** @param kind of a kubernetes source it is not noted which names change */
  constructor(managed: ManagedSource, kind: 'managed' | 'kubernetes') {
    this.source = managed.source;
    this.servers = managed.servers;
    this.skills = managed.skills;
    this.classes = managed.classes.list;
    this.origin = JSON.stringify({ source: managed.source, kind });
    this.lastModified = managed.lastModified;
    this.#journal = kind === 'managed' ? managed.journal : undefined;
  }

  changesSince(generation: number): readonly NameChange[] | undefined {
    return this.#journal?.since(generation);
  }

  /** What is published or described by a resource has no files of its own. */
  artifactOf(): undefined {
    return undefined;
  }
}

/** All of one managed source in memory. */
export class ManagedSource {
  readonly source: string;
  readonly servers = new OverlayTable('server');
  readonly skills = new OverlayTable('skill');
  readonly classes = new ClaimsClasses();
  /** Each change of a managed source after its first segment was made has to be noted here. */
  readonly journal = new ChangeJournal();
  readonly #claims = new Map<string, Claims>();
  #lastModified = 0;
  #segment: OverlaySegment | undefined;

  constructor(source: string) {
    this.source = source;
  }

  /** When anything in it last changed (ms); never goes back. */
  get lastModified(): number {
    return this.#lastModified;
  }

  /** The newest segment. */
  get segment(): OverlaySegment {
    this.#segment ??= new OverlaySegment(this, 'managed');
    return this.#segment;
  }

  tableOf(type: EntryType): OverlayTable {
    return type === 'server' ? this.servers : this.skills;
  }

  /** The claims of an entry as they were written; undefined when there is no such entry. */
  claimsOf(type: EntryType, name: string): Claims | undefined {
    return this.#claims.get(claimsSlot(type, name));
  }

  keepClaims(type: EntryType, name: string, claims: Claims | undefined): void {
    if (claims) this.#claims.set(claimsSlot(type, name), claims);
    else this.#claims.delete(claimsSlot(type, name));
  }

  /** Adds what the store holds of an entry. */
  addEntry(entry: StoredEntry): void {
    const table = this.tableOf(entry.type);
    const claimsClass = this.classes.intern(entry.claims);
    this.keepClaims(entry.type, entry.name, entry.claims);
    for (const version of entry.versions) {
      table.addVersion(entry.name, version, claimsClass, entry.claimsChangedAt);
      this.touch(Math.max(version.updatedAt, entry.claimsChangedAt));
    }
  }

  /** Takes an entry with all its versions out of the tables. */
  removeEntry(type: EntryType, name: string): void {
    const table = this.tableOf(type);
    for (const row of [...table.rowsOf(table.find(name))]) table.removeVersion(name, table.versionOf(row));
    this.keepClaims(type, name, undefined);
  }

  /** Says that something changed: the next segment is a new one. */
  touch(at: number): void {
    this.#lastModified = Math.max(this.#lastModified, at);
    this.#segment = undefined;
  }
}

function claimsSlot(type: EntryType, name: string): string {
  return `${type} ${name}`;
}
