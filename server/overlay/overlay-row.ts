import { itemPrefix } from '../../sources/bundle/item-json.ts';
import { indexWords } from '../../sources/bundle/search-index.ts';
import type { EntryStatus, EntryType } from '../../sources/model/entry.ts';
import { isPlainObject, omitMembers, type PlainObject } from '../../sources/model/plain-object.ts';
import { type OrderedVersion, readVersion } from '../../sources/model/version.ts';
import type { StoredVersion } from './overlay-store.ts';

/** One version as the table holds it: pre-serialised, with what its indexes need to forget it again. */
export interface OverlayRow {
  readonly name: string;
  readonly version: OrderedVersion;
  readonly tags: ReadonlySet<string>;
  readonly words: readonly string[];
  status: EntryStatus;
  statusMessage: string | undefined;
  prefix: Buffer;
  readonly published: number;
  updated: number;
  statusChanged: number;
}

/** Makes a row of a stored version, and the words it is to be found by. */
export function makeRow(
  type: EntryType,
  name: string,
  stored: StoredVersion,
): { readonly row: OverlayRow; readonly words: ReadonlyMap<string, number> } {
  const body = readBody(stored.body);
  const words = indexWords({ name, body, tags: stored.tags, tools: stored.tools });
  const row: OverlayRow = {
    name,
    version: readVersion(stored.version),
    tags: new Set(stored.tags),
    words: [...words.keys()],
    status: stored.status,
    statusMessage: stored.statusMessage,
    prefix: makePrefix(type, body, stored),
    published: stored.publishedAt,
    updated: stored.updatedAt,
    statusChanged: stored.statusChangedAt,
  };
  return { row, words };
}

/**
 * The stored part of the item. A skill shows its status among its own members: the one it was published with, until it
 * is changed here.
 */
export function makePrefix(
  type: EntryType,
  body: PlainObject,
  { status, publishedAt, statusChangedAt }: Pick<StoredVersion, 'status' | 'publishedAt' | 'statusChangedAt'>,
): Buffer {
  const shown = type === 'skill' && statusChangedAt !== publishedAt ? omitMembers(body, ['status']) : body;
  return Buffer.from(itemPrefix({ type, body: shown, status }));
}

export function readBody(json: string): PlainObject {
  const body: unknown = JSON.parse(json);
  if (!isPlainObject(body)) throw new TypeError('the body of a stored version is no object');
  return body;
}
