import { hash } from 'node:crypto';
import { z } from 'zod';
import type { EntryType } from '../../sources/model/entry.ts';
import { HttpError } from '../http/problem.ts';

/** The last entry of a page of raw entries. */
export interface RawPlace {
  readonly type: EntryType;
  readonly name: string;
  /** The place of its source among those listed. */
  readonly position: number;
}

const CHECK_LENGTH = 8;
const payloadSchema = z.tuple([z.string(), z.enum(['server', 'skill']), z.string(), z.int().min(0)]);

/** @param list which list it belongs to, such as `source alpha` */
export function encodeRawCursor(list: string, { type, name, position }: RawPlace): string {
  const payload = JSON.stringify([list, type, name, position]);
  return Buffer.from(checkOf(payload) + payload).toString('base64url');
}

/** @throws HttpError 400 `cursor_invalid` for a damaged cursor or one of another list */
export function decodeRawCursor(list: string, text: string): RawPlace {
  const plain = Buffer.from(text, 'base64url').toString('utf8');
  const payload = plain.slice(CHECK_LENGTH);
  const intact = /^[A-Za-z0-9_-]+$/.test(text) && plain.slice(0, CHECK_LENGTH) === checkOf(payload);
  const parsed = intact ? payloadSchema.safeParse(parse(payload)) : undefined;
  if (!parsed?.success || parsed.data[0] !== list) {
    throw new HttpError(
      400,
      'cursor_invalid',
      'The cursor is damaged or of another list: start again without it.',
    );
  }
  const [, type, name, position] = parsed.data;
  return { type, name, position };
}

/** Anybody can make a check sum, so the payload may still be anything. */
function parse(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

function checkOf(payload: string): string {
  return hash('sha256', payload, 'base64url').slice(0, CHECK_LENGTH);
}
