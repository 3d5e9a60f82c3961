import type { CatalogEntry, EntryStatus, EntryType } from '../model/entry.ts';
import type { RowTimes } from '../model/entry-table.ts';
import { OFFICIAL_META, ORIGIN_META } from '../model/meta-keys.ts';

/**
 * The part of an item's JSON that is known when a version is stored: everything up to the official block. Whoever
 * writes the item appends `officialJson`, the origin value and `}}` (servers and skills alike).
 */
export function itemPrefix(entry: Pick<CatalogEntry, 'type' | 'body' | 'vendorMeta' | 'status'>): string {
  return entry.type === 'server' ? serverPrefix(entry.body, entry.vendorMeta) : skillPrefix(entry);
}

function serverPrefix(body: CatalogEntry['body'], vendorMeta: CatalogEntry['vendorMeta']): string {
  return `{"server":${JSON.stringify(body)},"_meta":{${members(vendorMeta)}`;
}

function skillPrefix(entry: Pick<CatalogEntry, 'body' | 'vendorMeta' | 'status'>): string {
  const { _meta, ...rest } = entry.body;
  const body = JSON.stringify({ ...rest, status: rest.status ?? entry.status });
  const own = typeof _meta === 'object' && _meta !== null ? Object.fromEntries(Object.entries(_meta)) : {};
  const { [OFFICIAL_META]: _official, [ORIGIN_META]: _origin, ...meta } = { ...own, ...entry.vendorMeta };
  return `${body.slice(0, -1)},"_meta":{${members(meta)}`;
}

/** Members of an object as JSON, each with a comma behind it. */
function members(object: Readonly<Record<string, unknown>> | undefined): string {
  if (!object) return '';
  return Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`)
    .join('');
}

/** The official block (contract 5) and the start of our origin block. */
export function officialJson(
  status: EntryStatus,
  statusMessage: string | undefined,
  times: RowTimes,
  isLatest: boolean,
): string {
  const message = statusMessage === undefined ? '' : `,"statusMessage":${JSON.stringify(statusMessage)}`;
  return (
    `"${OFFICIAL_META}":{"status":"${status}"${message},"statusChangedAt":"${iso(times.statusChanged)}",` +
    `"publishedAt":"${iso(times.published)}","updatedAt":"${iso(times.updated)}","isLatest":${isLatest}},"${ORIGIN_META}":`
  );
}

/** The entry's own object (server.json or skill) out of its stored prefix, as JSON text. */
export function bodyFromPrefix(type: EntryType, prefix: string): string {
  const item: unknown = JSON.parse(`${prefix}"${ORIGIN_META}":null}}`);
  const { server, _meta, ...skill } = item as { server?: unknown; _meta: Record<string, unknown> };
  if (type === 'server') return JSON.stringify(server);
  const { [ORIGIN_META]: _origin, ...own } = _meta;
  return JSON.stringify(Object.keys(own).length > 0 ? { ...skill, _meta: own } : skill);
}

let lastMs = Number.NaN;
let lastIso = '';

/** Versions that arrived together share their times: the one before is often the one wanted. */
function iso(ms: number): string {
  if (ms !== lastMs) {
    lastIso = new Date(ms).toISOString();
    lastMs = ms;
  }
  return lastIso;
}
