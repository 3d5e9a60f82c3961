import type { EntryType } from '../../sources/model/entry.ts';
import type { NameInSegment } from './merge-names.ts';
import { type Found, latestRow, seesName, tableOf } from './query.ts';
import type { Sight } from './registry-view.ts';

/** The segment whose entry of that name the caller sees, or undefined (contract 5, shadowing). */
export function findName(sight: Sight, type: EntryType, name: string): NameInSegment | undefined {
  for (const part of sight.parts) {
    const table = tableOf(part, type);
    const index = table.find(name);
    if (index >= 0 && seesName(part, table, index)) return { part, table, index, name };
  }
  return undefined;
}

/** All versions of an entry, newest first; empty when there is none to be seen. */
export function listVersions(sight: Sight, type: EntryType, name: string, includeDeleted: boolean): Found[] {
  const found = findName(sight, type, name);
  if (!found) return [];
  const { part, table, index } = found;
  const latest = table.latestOf(index);
  return table
    .rowsOf(index)
    .filter((row) => includeDeleted || table.statusOf(row) !== 'deleted')
    .map((row) => ({ part, table, row, isLatest: row === latest }));
}

/** One version; `latest` is the highest that is not deleted (contract 12.6). */
export function findVersion(
  sight: Sight,
  type: EntryType,
  name: string,
  version: string,
  includeDeleted: boolean,
): Found | undefined {
  if (version !== 'latest') {
    return listVersions(sight, type, name, includeDeleted).find(
      ({ table, row }) => table.versionOf(row) === version,
    );
  }
  const found = findName(sight, type, name);
  if (!found) return undefined;
  const { part, table, index } = found;
  const row = latestRow(table, index, includeDeleted);
  return row >= 0 ? { part, table, row, isLatest: row === table.latestOf(index) } : undefined;
}
