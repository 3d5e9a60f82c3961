import type { EntryTable } from '../model/entry-table.ts';
import { OFFICIAL_META, ORIGIN_META } from '../model/meta-keys.ts';
import { isPlainObject, omitMembers, type PlainObject } from '../model/plain-object.ts';

/** A version where it stands. */
export interface VersionPlace {
  readonly table: EntryTable;
  readonly row: number;
}

/**
 * The members in which two forms of a version differ, sorted; none when they are served alike. Dates that this
 * registry gives are no difference.
 */
export function compareVersions(before: VersionPlace, after: VersionPlace): string[] {
  const old = before.table.writeItem(before.row, false);
  const next = after.table.writeItem(after.row, false);
  // The first piece is all but status and dates; only where that is not enough is JSON read.
  const plain = isPlain(before, old) && isPlain(after, next);
  if (plain && Buffer.from(old[0] ?? '').equals(Buffer.from(next[0] ?? ''))) return [];
  return compareMembers(readItem(old), readItem(next));
}

function isPlain({ table, row }: VersionPlace, pieces: readonly (Uint8Array | string)[]): boolean {
  return (
    table.statusOf(row) === 'active' &&
    !pieces.slice(1).some((piece) => Buffer.from(piece).includes('"statusMessage"'))
  );
}

function compareMembers(before: PlainObject, after: PlainObject): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => canonical(before[key]) !== canonical(after[key])).sort();
}

/** The members of an item on one level: the entry's own, the registry's status, and what else `_meta` holds. */
function readItem(pieces: readonly (Uint8Array | string)[]): PlainObject {
  const text = Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString('utf8');
  const item: unknown = JSON.parse(`${text}null}}`);
  if (!isPlainObject(item)) return {};
  const { server, _meta: meta = {}, ...skill } = item;
  const body = isPlainObject(server) ? server : skill;
  if (!isPlainObject(meta)) return body;
  const official = meta[OFFICIAL_META];
  const others = omitMembers(meta, [OFFICIAL_META, ORIGIN_META]);
  return {
    ...body,
    ...(isPlainObject(official) ? { status: official.status, statusMessage: official.statusMessage } : {}),
    ...(Object.keys(others).length > 0 ? { '_meta of the listing': others } : {}),
  };
}

/** JSON in which the order of members does not count. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, member: unknown) =>
    isPlainObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
