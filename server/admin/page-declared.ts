import { hash } from 'node:crypto';
import { readLimit } from '../consumer/list-parameters.ts';
import type { Query } from '../http/parse-query.ts';
import { HttpError } from '../http/problem.ts';

const CHECK_LENGTH = 8;

export interface DeclaredPage<T> {
  readonly items: readonly T[];
  readonly metadata: { readonly count: number; readonly nextCursor?: string };
}

/**
 * A page of sources or registries (contract 12.8), in order of name. There are few, so without `limit` a page is as
 * large as it may be. The cursor names the last item of its page, which may be gone by the time of the next.
 * @param list which list it is; a cursor of another one is refused
 * @throws HttpError 400 `limit_invalid`, `cursor_invalid`
 */
export function pageDeclared<T>(
  list: 'sources' | 'registries',
  all: readonly T[],
  nameOf: (item: T) => string,
  query: Query,
  maxPageSize: number,
): DeclaredPage<T> {
  const limit = readLimit(query.get('limit') ?? String(maxPageSize), maxPageSize);
  const cursor = query.get('cursor');
  const ordered = [...all].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const after = cursor ? readCursor(list, cursor) : undefined;
  const rest = after === undefined ? ordered : ordered.filter((item) => nameOf(item) > after);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  const next =
    rest.length > limit && last !== undefined ? { nextCursor: writeCursor(list, nameOf(last)) } : {};
  return { items, metadata: { count: items.length, ...next } };
}

function writeCursor(list: string, name: string): string {
  return Buffer.from(`${checkOf(list, name)}${name}`).toString('base64url');
}

function readCursor(list: string, text: string): string {
  const plain = Buffer.from(text, 'base64url').toString('utf8');
  const name = plain.slice(CHECK_LENGTH);
  if (/^[A-Za-z0-9_-]+$/.test(text) && plain.slice(0, CHECK_LENGTH) === checkOf(list, name)) return name;
  throw new HttpError(
    400,
    'cursor_invalid',
    'The cursor is damaged or of another list: start again without it.',
  );
}

function checkOf(list: string, name: string): string {
  return hash('sha256', `${list} ${name}`, 'base64url').slice(0, CHECK_LENGTH);
}
