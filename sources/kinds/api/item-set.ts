import { isTooDeep } from '../../catalog/validation.ts';
import type { EntryType } from '../../model/entry.ts';
import { OFFICIAL_META, ORIGIN_META } from '../../model/meta-keys.ts';
import { readOfficialBlock } from '../../model/official-block.ts';
import { isPlainObject, omitMembers, type PlainObject } from '../../model/plain-object.ts';
import { digestBytes } from '../digest-files.ts';

/** Items of a registry by name and version; what has neither stands under its digest, to be rejected with a reason. */
export type ItemSet = Map<string, unknown>;

/** Deeper than an entry may be, so that what is cut is still refused as too deep, and JSON can be written of it. */
const DEEPEST = 100;

/** Takes items in; of the same name and version the last one counts. */
export function addItems(set: ItemSet, type: EntryType, items: readonly unknown[]): void {
  for (const item of items) {
    const tidy = tidyItem(isTooDeep(item, DEEPEST) ? cutDeep(item, DEEPEST) : item);
    set.set(keyOf(type, tidy), tidy);
  }
}

/** The name of a server, `namespace/name` of a skill; undefined when it has none. */
export function nameOf(type: EntryType, item: unknown): string | undefined {
  const body = bodyOf(item);
  if (!isPlainObject(body) || typeof body.name !== 'string') return undefined;
  if (type === 'server') return body.name;
  return typeof body.namespace === 'string' ? `${body.namespace}/${body.name}` : undefined;
}

/** The catalog of form 2 (contract 3) of both sets: the same items give the same bytes. One item a line. */
export function writeContent(servers: ItemSet, skills: ItemSet): string {
  const count = servers.size + skills.size;
  const metadata = JSON.stringify({ count });
  return `{"servers":[\n${writeItems(servers)}\n],"skills":[\n${writeItems(skills)}\n],"metadata":${metadata}}\n`;
}

/** The newest `updatedAt` of any item, in milliseconds. */
export function findNewest(...sets: readonly ItemSet[]): number | undefined {
  let newest: number | undefined;
  for (const set of sets) {
    for (const item of set.values()) {
      const { updatedAt } = readOfficialBlock(metaOf(item) ?? metaOf(bodyOf(item)));
      if (updatedAt !== undefined && !(newest !== undefined && newest >= updatedAt)) newest = updatedAt;
    }
  }
  return newest;
}

function keyOf(type: EntryType, item: unknown): string {
  const name = nameOf(type, item);
  const body = bodyOf(item);
  const version = isPlainObject(body) && typeof body.version === 'string' ? body.version : undefined;
  if (name !== undefined && version !== undefined) return `${name}\n${version}`;
  return `~${digestBytes(JSON.stringify(item) ?? '')}`;
}

/** Without what the registry says of itself rather than of the entry: it differs from walk to walk. */
function tidyItem(item: unknown): unknown {
  if (!isPlainObject(item)) return item ?? null;
  const meta = metaOf(item);
  if (!meta) return item;
  const own = omitMembers(meta, [ORIGIN_META]);
  const official = own[OFFICIAL_META];
  const said = isPlainObject(official) ? { [OFFICIAL_META]: omitMembers(official, ['isLatest']) } : {};
  return { ...item, _meta: { ...own, ...said } };
}

function writeItems(set: ItemSet): string {
  const sorted = [...set].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.map(([, item]) => JSON.stringify(item)).join(',\n');
}

function bodyOf(item: unknown): unknown {
  return isPlainObject(item) && isPlainObject(item.server) ? item.server : item;
}

function metaOf(item: unknown): PlainObject | undefined {
  return isPlainObject(item) && isPlainObject(item._meta) ? item._meta : undefined;
}

function cutDeep(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((member) => cutDeep(member, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cutDeep(member, levels - 1)]));
}
