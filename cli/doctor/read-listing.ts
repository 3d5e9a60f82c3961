import { isPlainObject, type PlainObject } from '../../sources/model/plain-object.ts';

/** A page of servers as far as it has the form of one. */
export interface Listing {
  readonly items: readonly unknown[];
  readonly metadata: PlainObject;
  readonly nextCursor: string | undefined;
}

/** Reads a page; a text says why it is none. */
export function readListing(body: unknown): Listing | string {
  if (!isPlainObject(body)) return 'the body is no JSON object';
  const { servers, metadata } = body;
  if (!Array.isArray(servers)) return '`servers` is no list';
  if (!isPlainObject(metadata)) return '`metadata` is no object';
  const { nextCursor } = metadata;
  if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== 'string') {
    return '`metadata.nextCursor` is no text';
  }
  return { items: servers, metadata, nextCursor: nextCursor || undefined };
}

/** Name and version of an item; undefined when it has none. */
export function readKey(item: unknown): { readonly name: string; readonly version: string } | undefined {
  const server = isPlainObject(item) ? item.server : undefined;
  if (!isPlainObject(server)) return undefined;
  const { name, version } = server;
  return typeof name === 'string' && typeof version === 'string' ? { name, version } : undefined;
}
