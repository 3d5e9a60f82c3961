import type { OpenBundle } from '../bundle/open-bundle.ts';
import type { EntryType } from '../model/entry.ts';
import type { EntryTable } from '../model/entry-table.ts';
import { compareNewestFirst, readVersion } from '../model/version.ts';
import { compareVersions } from './compare-versions.ts';
import type { Change, EntryChange, VersionChange } from './entry-change.ts';

/**
 * What changes from one bundle of a source to another (contract 1, `diff`): servers before skills, by name.
 * @param before undefined when the source is new, `after` when it is gone
 */
export function compareBundles(
  source: string,
  before: OpenBundle | undefined,
  after: OpenBundle | undefined,
): EntryChange[] {
  if (before && after && before.hash === after.hash) return [];
  return [
    ...compareTables(source, { type: 'server', before: before?.servers, after: after?.servers }),
    ...compareTables(source, {
      type: 'skill',
      before: before?.skills,
      after: after?.skills,
      digestBefore: (row) => before?.artifactOf(row)?.digest,
      digestAfter: (row) => after?.artifactOf(row)?.digest,
    }),
  ];
}

interface TablePair {
  readonly type: EntryType;
  readonly before: EntryTable | undefined;
  readonly after: EntryTable | undefined;
  /** The digest of a version's files, for those that have any. */
  readonly digestBefore?: (row: number) => string | undefined;
  readonly digestAfter?: (row: number) => string | undefined;
}

function compareTables(source: string, pair: TablePair): EntryChange[] {
  const changes: EntryChange[] = [];
  for (const name of joinNames(pair.before, pair.after)) {
    const old = rowsByVersion(pair.before, name);
    const next = rowsByVersion(pair.after, name);
    const versions = [...new Set([...next.keys(), ...old.keys()])]
      .sort((a, b) => compareNewestFirst(readVersion(a), readVersion(b)))
      .flatMap((version) => compareVersion(pair, version, old.get(version), next.get(version)));
    if (versions.length === 0) continue;
    const change: Change = old.size === 0 ? 'added' : next.size === 0 ? 'removed' : 'changed';
    changes.push({ source, type: pair.type, name, change, versions });
  }
  return changes;
}

function compareVersion(
  pair: TablePair,
  version: string,
  old: number | undefined,
  next: number | undefined,
): VersionChange[] {
  if (old === undefined) return [{ version, change: 'added' }];
  if (next === undefined) return [{ version, change: 'removed' }];
  const { before, after } = pair;
  if (!before || !after) return [];
  const members = compareVersions({ table: before, row: old }, { table: after, row: next });
  if (pair.digestBefore?.(old) !== pair.digestAfter?.(next)) members.push('files');
  return members.length === 0 ? [] : [{ version, change: 'changed', members }];
}

function rowsByVersion(table: EntryTable | undefined, name: string): ReadonlyMap<string, number> {
  const index = table?.find(name) ?? -1;
  if (!table || index < 0) return new Map();
  return new Map(table.rowsOf(index).map((row) => [table.versionOf(row), row]));
}

function joinNames(...tables: readonly (EntryTable | undefined)[]): string[] {
  const names = new Set<string>();
  for (const table of tables) {
    for (let index = 0; table && index < table.nameCount; index++) names.add(table.nameAt(index));
  }
  return [...names].sort();
}
