import { type ClaimSet, type Claims, writeClaims } from '../../sources/model/claims.ts';
import type { EntryType } from '../../sources/model/entry.ts';
import type { EntryTable, Segment } from '../../sources/model/entry-table.ts';
import { isPlainObject } from '../../sources/model/plain-object.ts';
import { readLimit } from '../consumer/list-parameters.ts';
import type { Query } from '../http/parse-query.ts';
import { decodeRawCursor, encodeRawCursor, type RawPlace } from './raw-cursor.ts';

export interface RawVersion {
  readonly version: string;
  readonly status: string;
  readonly title?: string;
  readonly description?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface RawEntry {
  readonly type: EntryType;
  readonly name: string;
  /** Only in the list of a registry: where it comes from, and that source's place in the registry. */
  readonly source?: string;
  readonly position?: number;
  readonly claims: Claims;
  /** Newest first, deleted ones included. */
  readonly versions: readonly RawVersion[];
}

export interface RawPage {
  readonly entries: readonly RawEntry[];
  readonly metadata: { readonly count: number; readonly nextCursor?: string };
}

interface Stream {
  readonly segment: Segment;
  readonly table: EntryTable;
  readonly position: number;
  at: number;
}

/**
 * `GET /v1/sources/{n}/entries` (contract 6): all entries of a source, in order of type and name. Who may ask is decided
 * before; nothing is filtered by the caller's claims (specification 5.12).
 * @param segment undefined while nothing was loaded yet
 * @param query `limit` and `cursor`
 * @throws HttpError 400 `limit_invalid`, `cursor_invalid`
 */
export function listSourceEntries(
  source: string,
  segment: Segment | undefined,
  query: Query,
  maxPageSize: number,
): RawPage {
  const streams = segment ? [segment] : [];
  return listPage(`source ${source}`, streams, query, maxPageSize, ({ segment: { classes }, table, at }) =>
    describeEntry(table, at, classes),
  );
}

/**
 * `GET /v1/registries/{n}/entries` (contract 6): all entries of all sources of a registry before shadowing, in order of
 * type, name and the source's place.
 * @param segments in the registry's order
 * @throws HttpError as `listSourceEntries`
 */
export function listRegistryEntries(
  registry: string,
  segments: readonly Segment[],
  query: Query,
  maxPageSize: number,
): RawPage {
  return listPage(
    `registry ${registry}`,
    segments,
    query,
    maxPageSize,
    ({ segment, table, at, position }) => {
      const { type, name, ...rest } = describeEntry(table, at, segment.classes);
      return { type, name, source: segment.source, position, ...rest };
    },
  );
}

function listPage(
  list: string,
  segments: readonly Segment[],
  query: Query,
  maxPageSize: number,
  describe: (stream: Stream) => RawEntry,
): RawPage {
  const limit = readLimit(query.get('limit'), maxPageSize);
  const cursor = query.get('cursor');
  const after = cursor ? decodeRawCursor(list, cursor) : undefined;
  const entries: RawEntry[] = [];
  let last: RawPlace | undefined;
  for (const type of ['server', 'skill'] as const) {
    if (type === 'server' && after?.type === 'skill') continue;
    const streams = openStreams(segments, type, after?.type === type ? after : undefined);
    for (let stream = firstOf(streams); stream; stream = firstOf(streams)) {
      if (entries.length === limit && last) {
        return { entries, metadata: { count: entries.length, nextCursor: encodeRawCursor(list, last) } };
      }
      entries.push(describe(stream));
      last = { type, name: stream.table.nameAt(stream.at), position: stream.position };
      stream.at++;
    }
  }
  return { entries, metadata: { count: entries.length } };
}

/** A stream per segment, each at its first name behind `after`. */
function openStreams(segments: readonly Segment[], type: EntryType, after: RawPlace | undefined): Stream[] {
  return segments.map((segment, position) => {
    const table = type === 'server' ? segment.servers : segment.skills;
    const at = after ? table.seek(after.name) : 0;
    const given = after !== undefined && position <= after.position && table.nameAt(at) === after.name;
    return { segment, table, position, at: given ? at + 1 : at };
  });
}

/** The stream whose name comes first; the earlier source of two with the same. */
function firstOf(streams: readonly Stream[]): Stream | undefined {
  let first: Stream | undefined;
  for (const stream of streams) {
    if (stream.at >= stream.table.nameCount) continue;
    if (!first || stream.table.nameAt(stream.at) < first.table.nameAt(first.at)) first = stream;
  }
  return first;
}

function describeEntry(table: EntryTable, index: number, classes: readonly ClaimSet[]): RawEntry {
  return {
    type: table.type,
    name: table.nameAt(index),
    claims: writeClaims(classes[table.classOf(index)] ?? []),
    versions: table.rowsOf(index).map((row) => describeVersion(table, row)),
  };
}

function describeVersion(table: EntryTable, row: number): RawVersion {
  const body: unknown = JSON.parse(table.bodyOf(row));
  const { title, description } = isPlainObject(body) ? body : {};
  const { published, updated } = table.timesOf(row);
  return {
    version: table.versionOf(row),
    status: table.statusOf(row),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    createdAt: new Date(published).toISOString(),
    updatedAt: new Date(updated).toISOString(),
  };
}
