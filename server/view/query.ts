import type { EntryStatus, EntryType } from '../../sources/model/entry.ts';
import type { EntryTable } from '../../sources/model/entry-table.ts';
import { findLatest, readVersion } from '../../sources/model/version.ts';
import type { SegmentSight } from './registry-view.ts';

/** Where a walk stands: the last item that was given out. */
export interface Position {
  readonly name: string;
  readonly version: string;
  /** Only in a search. */
  readonly score?: number;
}

/** The filters of a list (contract 5); a cursor carries them all. */
export interface Filters {
  readonly type: EntryType;
  readonly search?: string;
  /** `latest` or an exact version. */
  readonly version?: string;
  readonly tag?: string;
  readonly source?: string;
  readonly status?: EntryStatus;
  /** Milliseconds since the epoch. */
  readonly updatedSince?: number;
  readonly includeDeleted: boolean;
}

export interface ListQuery extends Filters {
  readonly limit: number;
  readonly after?: Position;
  /** A further filter, asked last and only about what the caller sees; no cursor carries it. */
  readonly accepts?: (found: Found) => boolean;
}

/** One version of one entry as a view found it. */
export interface Found {
  readonly part: SegmentSight;
  readonly table: EntryTable;
  readonly row: number;
  readonly isLatest: boolean;
}

export interface Page {
  readonly items: readonly Found[];
  /** Absent on the last page. */
  readonly next?: Position;
  /** With `next`, of a list in order: the name of the entry behind the page, for which there is a next page. */
  readonly reach?: string;
}

export function tableOf(part: SegmentSight, type: EntryType): EntryTable {
  return type === 'server' ? part.segment.servers : part.segment.skills;
}

/** Does the caller see this name in this segment? */
export function seesName(part: SegmentSight, table: EntryTable, index: number): boolean {
  return part.all || part.sees[table.classOf(index)] === 1;
}

/** Is the name taken by a segment that comes earlier in the registry and that the caller sees? */
export function isShadowed(
  parts: readonly SegmentSight[],
  part: SegmentSight,
  type: EntryType,
  name: string,
): boolean {
  for (const other of parts) {
    if (other === part) return false;
    const table = tableOf(other, type);
    const index = table.find(name);
    if (index >= 0 && seesName(other, table, index)) return true;
  }
  return false;
}

/** The row that `latest` means: deleted versions count only when they are asked for and nothing else is left. */
export function latestRow(table: EntryTable, index: number, includeDeleted: boolean): number {
  const latest = table.latestOf(index);
  if (latest >= 0 || !includeDeleted) return latest;
  const rows = table.rowsOf(index);
  return rows[findLatest(rows.map((row) => readVersion(table.versionOf(row))))] ?? -1;
}

/** The rows of a name that pass the filters, newest version first. */
export function selectRows(table: EntryTable, index: number, filters: Filters): readonly number[] {
  if (filters.version === 'latest') {
    const row = latestRow(table, index, filters.includeDeleted);
    return row >= 0 && passes(table, row, filters) ? [row] : [];
  }
  return table.rowsOf(index).filter((row) => passes(table, row, filters));
}

/** Filters that are decided on the version alone, but for `latest` and `source`. */
export function passes(table: EntryTable, row: number, filters: Filters): boolean {
  const status = table.statusOf(row);
  if (status === 'deleted' && !filters.includeDeleted && filters.status !== 'deleted') return false;
  if (filters.status !== undefined && status !== filters.status) return false;
  if (
    filters.version !== undefined &&
    filters.version !== 'latest' &&
    table.versionOf(row) !== filters.version
  )
    return false;
  if (filters.updatedSince !== undefined && table.timesOf(row).changed < filters.updatedSince) return false;
  return filters.tag === undefined || table.hasTag(row, filters.tag);
}
