import type { ClaimSet } from './claims.ts';
import type { EntryStatus, EntryType } from './entry.ts';

/** A search hit inside one table; scores are integers, comparable between tables. */
export interface Hit {
  readonly row: number;
  readonly score: number;
}

/** Times of a version in milliseconds since the epoch; `changed` is when this registry last saw it change. */
export interface RowTimes {
  readonly published: number;
  readonly updated: number;
  readonly statusChanged: number;
  readonly changed: number;
}

/**
 * The entries of one type in one source, indexed: what a bundle holds and what the overlay keeps. A name has an index
 * (its place in name order), a version has a row. Indexes of names hold until the table changes; nothing here parses
 * or builds JSON except `writeItem`.
 */
export interface EntryTable {
  readonly type: EntryType;
  readonly nameCount: number;
  readonly rowCount: number;
  nameAt(index: number): string;
  /** The index of a name, or -1. */
  find(name: string): number;
  /** The index of the first name that is not before `name`; `nameCount` when there is none. */
  seek(name: string): number;
  /** Which of the segment's claims classes governs the name. */
  classOf(index: number): number;
  /** Rows of a name, newest version first, deleted ones included. */
  rowsOf(index: number): readonly number[];
  /** The row of the latest version that is not deleted, or -1. */
  latestOf(index: number): number;
  nameIndexOf(row: number): number;
  versionOf(row: number): string;
  statusOf(row: number): EntryStatus;
  timesOf(row: number): RowTimes;
  /** Indexes, in order, of the names that have a version with this tag; undefined when the tag is unknown. */
  namesTagged(tag: string): ArrayLike<number> | undefined;
  hasTag(row: number, tag: string): boolean;
  tagsOf(row: number): readonly string[];
  /** Negative when row `a` is listed before row `b`. */
  compareRows(a: number, b: number): number;
  search(query: string): readonly Hit[];
  /** The item as JSON, pieces to be written one after the other; ends before the origin block's value. */
  writeItem(row: number, isLatest: boolean): readonly (Uint8Array | string)[];
  /** The entry's own object (server.json or skill) as JSON text. */
  bodyOf(row: number): string;
}

/** Downloadable form of a skill for agent-skills discovery. */
export interface SkillArtifact {
  readonly type: 'skill-md' | 'archive';
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** One source as a view reads it: a table per type, and the claims classes its names belong to. */
export interface Segment {
  readonly source: string;
  readonly servers: EntryTable;
  readonly skills: EntryTable;
  /** Claims of each class; index = what `classOf` answers. */
  readonly classes: readonly ClaimSet[];
  /** Grows with every change; part of cache keys. */
  readonly generation: number;
  /** JSON text of the `dev.berth/origin` value. */
  readonly origin: string;
  /** When anything in it last changed (ms). */
  readonly lastModified: number;
  artifactOf(row: number): SkillArtifact | undefined;
  /**
   * The names that changed after the segment of this source with that generation was made; undefined when that is not
   * known, so that anything may have. Absent for segments that are replaced as a whole.
   */
  changesSince?(generation: number): readonly NameChange[] | undefined;
}

/** An entry of which anything changed: a version came or went, its status, its claims. */
export interface NameChange {
  readonly type: EntryType;
  readonly name: string;
}
