import type { EntryType } from '../model/entry.ts';

export type Change = 'added' | 'removed' | 'changed';

export interface VersionChange {
  readonly version: string;
  readonly change: Change;
  /** Of a changed one: which members differ, such as `description`, `status`, `files`. */
  readonly members?: readonly string[];
}

/** What became of one entry of one source, with its versions newest first. */
export interface EntryChange {
  readonly source: string;
  readonly type: EntryType;
  readonly name: string;
  readonly change: Change;
  readonly versions: readonly VersionChange[];
}
