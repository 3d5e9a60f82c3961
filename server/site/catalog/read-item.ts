import type { EntryType } from '../../../sources/model/entry.ts';
import { isPlainObject, type PlainObject } from '../../../sources/model/plain-object.ts';
import type { Found } from '../../view/query.ts';

const UTF8 = new TextDecoder();

/** A version as the API answers it, parsed. */
export interface ApiItem {
  readonly whole: PlainObject;
  /** The server.json or the skill. */
  readonly body: PlainObject;
  /** What publisher and registries say of it: of a server, `_meta` of the envelope and its own, which goes first. */
  readonly meta: PlainObject;
}

/** Reads what the API would answer for a version. */
export function readItem(type: EntryType, found: Found): ApiItem {
  const whole = asObject(JSON.parse(writeText(found)));
  if (type === 'skill') return { whole, body: whole, meta: asObject(whole._meta) };
  const body = asObject(whole.server);
  return { whole, body, meta: { ...asObject(whole._meta), ...asObject(body._meta) } };
}

/** What the API writes, without bytes in between: lists read thousands of items at once. */
function writeText({ part, table, row, isLatest }: Found): string {
  let text = '';
  for (const piece of table.writeItem(row, isLatest))
    text += typeof piece === 'string' ? piece : UTF8.decode(piece);
  return `${text}${part.segment.origin}}}`;
}

/** The value when it is an object, else an empty one. */
export function asObject(value: unknown): PlainObject {
  return isPlainObject(value) ? value : {};
}

/** The objects of an array; nothing of anything else. */
export function objectsIn(value: unknown): readonly PlainObject[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}

/** The value when it is a text that says something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The texts of an array. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string' && item.trim() !== '') : [];
}
