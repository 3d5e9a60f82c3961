import type { EntryStatus } from '../../sources/model/entry.ts';
import { parseQuery, type Query } from '../http/parse-query.ts';
import { HttpError } from '../http/problem.ts';
import type { Filters, ListQuery } from '../view/query.ts';
import { decodeCursor } from './cursor.ts';

export const DEFAULT_LIMIT = 30;
const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * The parameters of a list (contract 5). A cursor brings its own filters; those in the query are for the first page.
 * Unknown parameters are ignored.
 * @throws HttpError 400 `limit_invalid`, `updated_since_invalid`, `status_invalid`, `include_deleted_invalid`,
 *   `cursor_invalid`, `query_invalid`
 */
export function readListQuery(rawQuery: string, type: Filters['type'], maxPageSize: number): ListQuery {
  const query = parseQuery(rawQuery);
  const limit = readLimit(query.get('limit'), maxPageSize);
  const own = type === 'server' ? serverFilters(query) : skillFilters(query);
  const cursor = query.get('cursor');
  if (!cursor) return { ...own, limit };
  const { filters, after } = decodeCursor(cursor, type);
  return { ...filters, limit, after };
}

/** `include_deleted` of a detail or versions request. */
export function readIncludeDeleted(rawQuery: string): boolean {
  return rawQuery === '' ? false : (readBoolean(parseQuery(rawQuery), 'include_deleted') ?? false);
}

function serverFilters(query: Query): Filters {
  const updatedSince = readTime(query.get('updated_since'));
  const version = query.get('version');
  return {
    type: 'server',
    ...sharedFilters(query),
    ...(version ? { version } : {}),
    ...(updatedSince === undefined ? {} : { updatedSince }),
    includeDeleted: readBoolean(query, 'include_deleted') ?? updatedSince !== undefined,
  };
}

function skillFilters(query: Query): Filters {
  const status = readStatus(query.get('status'));
  return {
    type: 'skill',
    version: 'latest',
    ...sharedFilters(query),
    ...(status ? { status } : {}),
    includeDeleted: readBoolean(query, 'include_deleted') ?? status === 'deleted',
  };
}

function readStatus(text: string | undefined): EntryStatus | undefined {
  if (!text) return undefined;
  if (text === 'active' || text === 'deprecated' || text === 'deleted') return text;
  throw new HttpError(400, 'status_invalid', 'status must be active, deprecated or deleted.');
}

function sharedFilters(query: Query): Pick<Filters, 'search' | 'tag' | 'source'> {
  const search = query.get('search')?.trim();
  const tag = query.get('tag');
  const source = query.get('source');
  return { ...(search ? { search } : {}), ...(tag ? { tag } : {}), ...(source ? { source } : {}) };
}

/** @throws HttpError 400 `limit_invalid` */
export function readLimit(text: string | undefined, maxPageSize: number): number {
  if (text === undefined) return Math.min(DEFAULT_LIMIT, maxPageSize);
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(limit >= 1 && limit <= maxPageSize)) {
    throw new HttpError(400, 'limit_invalid', `limit must be a whole number from 1 to ${maxPageSize}.`);
  }
  return limit;
}

function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = RFC3339.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new HttpError(
      400,
      'updated_since_invalid',
      'updated_since must be an RFC 3339 time such as 2026-01-31T12:00:00Z.',
    );
  }
  return time;
}

function readBoolean(query: Query, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === undefined || text === '') return undefined;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new HttpError(400, `${name}_invalid`, `${name} must be true or false.`);
}
