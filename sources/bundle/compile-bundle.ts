import { createHash } from 'node:crypto';
import type { Catalog, CatalogEntry } from '../model/entry.ts';
import type { SkillArtifact } from '../model/entry-table.ts';
import { compareNewestFirst, findLatest, readVersion } from '../model/version.ts';
import { type BundleHeader, packBundle, type TableCounts } from './format.ts';
import { itemPrefix } from './item-json.ts';
import { indexWords, packPosting } from './search-index.ts';
import { makeSkillArtifact } from './skill-artifact.ts';

/** Statuses as they stand in a bundle's status column. */
export const STATUS_CODES = ['active', 'deprecated', 'deleted'] as const;
/** In the latest column: no version of that name is left that is not deleted. */
export const NO_LATEST = 0xffff_ffff;
const MAX_LISTED_REJECTIONS = 1000;

/**
 * Compiles a catalog into a bundle (contract 4): entries pre-serialised, with indexes by name, version order, tag,
 * time and full text. The same catalog gives the same bytes.
 */
export async function compileBundle(catalog: Catalog): Promise<Buffer> {
  const sections = new Map<string, Uint8Array>();
  const servers = addTable(
    sections,
    'servers',
    catalog.entries.filter((entry) => entry.type === 'server'),
  );
  const skillEntries = catalog.entries.filter((entry) => entry.type === 'skill');
  const skills = addTable(sections, 'skills', skillEntries);
  await addArtifacts(sections, skills.order);
  const info: Omit<BundleHeader, 'format' | 'sections'> = {
    servers: servers.counts,
    skills: skills.counts,
    rejectedCount: catalog.rejected.length,
    rejected: catalog.rejected.slice(0, MAX_LISTED_REJECTIONS),
  };
  return packBundle(info, sections);
}

interface Table {
  readonly counts: TableCounts;
  readonly order: readonly CatalogEntry[];
}

function addTable(sections: Map<string, Uint8Array>, table: string, entries: readonly CatalogEntry[]): Table {
  const byName = groupByName(entries);
  const names = [...byName.keys()].sort();
  const order: CatalogEntry[] = [];
  const firstRow = new Uint32Array(names.length + 1);
  const latest = new Uint32Array(names.length);
  for (const [index, name] of names.entries()) {
    const versions = (byName.get(name) ?? [])
      .map((entry) => ({ entry, version: readVersion(entry.version) }))
      .sort((a, b) => compareNewestFirst(a.version, b.version));
    const visible = versions.filter(({ entry }) => entry.status !== 'deleted');
    const best = visible[findLatest(visible.map(({ version }) => version))];
    latest[index] = best ? order.length + versions.indexOf(best) : NO_LATEST;
    firstRow[index] = order.length;
    for (const { entry } of versions) order.push(entry);
  }
  firstRow[names.length] = order.length;
  const put = (name: string, value: Uint8Array) => sections.set(`${table}.${name}`, value);
  put('names', joined(names));
  put('versions', joined(order.map((entry) => entry.version)));
  put('firstRow', raw(firstRow));
  put('latest', raw(latest));
  put('status', raw(Uint32Array.from(order, (entry) => STATUS_CODES.indexOf(entry.status))));
  put('statusMessages', Buffer.from(JSON.stringify(statusMessages(order))));
  put('given', raw(givenTimes(order)));
  addItems(put, order);
  addPostings(put, 'tag', tagPostings(order));
  addPostings(put, 'term', wordPostings(order));
  return { counts: { names: names.length, rows: order.length }, order };
}

function groupByName(entries: readonly CatalogEntry[]): Map<string, CatalogEntry[]> {
  const byName = new Map<string, CatalogEntry[]>();
  for (const entry of entries) {
    const versions = byName.get(entry.name);
    if (versions) versions.push(entry);
    else byName.set(entry.name, [entry]);
  }
  return byName;
}

function statusMessages(order: readonly CatalogEntry[]): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const [row, entry] of order.entries())
    if (entry.statusMessage !== undefined) messages[row] = entry.statusMessage;
  return messages;
}

/** Three columns: published, updated, status changed; NaN where the catalog says nothing. */
function givenTimes(order: readonly CatalogEntry[]): Float64Array {
  const times = new Float64Array(order.length * 3);
  for (const [row, entry] of order.entries()) {
    times[row * 3] = entry.publishedAt ?? Number.NaN;
    times[row * 3 + 1] = entry.updatedAt ?? Number.NaN;
    times[row * 3 + 2] = entry.statusChangedAt ?? Number.NaN;
  }
  return times;
}

type Put = (name: string, value: Uint8Array) => void;

function addItems(put: Put, order: readonly CatalogEntry[]): void {
  const offsets = new Float64Array(order.length + 1);
  const digests = new Uint32Array(order.length * 2);
  const items: Buffer[] = [];
  let offset = 0;
  for (const [row, entry] of order.entries()) {
    const item = Buffer.from(itemPrefix(entry));
    items.push(item);
    offset += item.length;
    offsets[row + 1] = offset;
    const hash = createHash('sha256').update(item);
    hash.update(`\n${entry.status}\n${entry.statusMessage ?? ''}\n${entry.updatedAt ?? ''}`);
    for (const file of entry.files ?? []) hash.update(`\n${file.path}\n`).update(file.bytes);
    const digest = hash.digest();
    digests[row * 2] = digest.readUInt32LE(0);
    digests[row * 2 + 1] = digest.readUInt32LE(4);
  }
  put('itemOffsets', raw(offsets));
  put('digests', raw(digests));
  put('items', Buffer.concat(items));
}

function tagPostings(order: readonly CatalogEntry[]): Map<string, number[]> {
  const postings = new Map<string, number[]>();
  for (const [row, entry] of order.entries())
    for (const tag of new Set(entry.tags)) pushTo(postings, tag, row);
  return postings;
}

function wordPostings(order: readonly CatalogEntry[]): Map<string, number[]> {
  const postings = new Map<string, number[]>();
  for (const [row, entry] of order.entries()) {
    for (const [word, fields] of indexWords(entry)) pushTo(postings, word, packPosting(row, fields));
  }
  return postings;
}

function pushTo(postings: Map<string, number[]>, key: string, value: number): void {
  const list = postings.get(key);
  if (list) list.push(value);
  else postings.set(key, [value]);
}

function addPostings(put: Put, kind: 'tag' | 'term', postings: Map<string, number[]>): void {
  const keys = [...postings.keys()].filter((key) => !key.includes('\n')).sort();
  const starts = new Uint32Array(keys.length + 1);
  let total = 0;
  for (const [index, key] of keys.entries()) {
    total += postings.get(key)?.length ?? 0;
    starts[index + 1] = total;
  }
  const values = new Uint32Array(total);
  for (const [index, key] of keys.entries()) values.set(postings.get(key) ?? [], starts[index]);
  put(`${kind}s`, joined(keys));
  put(`${kind}Starts`, raw(starts));
  put(`${kind}Values`, raw(values));
}

async function addArtifacts(
  sections: Map<string, Uint8Array>,
  order: readonly CatalogEntry[],
): Promise<void> {
  const index: Record<string, [offset: number, length: number, type: SkillArtifact['type'], digest: string]> =
    {};
  const blobs: Uint8Array[] = [];
  let offset = 0;
  for (const [row, entry] of order.entries()) {
    if (!entry.files?.length) continue;
    const artifact = await makeSkillArtifact(entry.files);
    index[row] = [offset, artifact.bytes.byteLength, artifact.type, artifact.digest];
    blobs.push(artifact.bytes);
    offset += artifact.bytes.byteLength;
  }
  sections.set('artifactIndex', Buffer.from(JSON.stringify(index)));
  sections.set('artifacts', Buffer.concat(blobs));
}

function joined(texts: readonly string[]): Uint8Array {
  return Buffer.from(texts.join('\n'));
}

function raw(column: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}
