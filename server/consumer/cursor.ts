import { hash } from 'node:crypto';
import { z } from 'zod';
import { HttpError } from '../http/problem.ts';
import type { Filters, Position } from '../view/query.ts';

/** What a cursor carries: all filters, because well-known clients send them on the first page only (contract 8). */
export interface Cursor {
  readonly filters: Filters;
  readonly after: Position;
}

const CHECK_LENGTH = 8;
const FORMAT = 1;

const payloadSchema = z.tuple([
  z.literal(FORMAT),
  z.tuple([z.string(), z.string(), z.number().nullable()]),
  z.object({
    type: z.enum(['server', 'skill']),
    search: z.string().optional(),
    version: z.string().optional(),
    tag: z.string().optional(),
    source: z.string().optional(),
    status: z.enum(['active', 'deprecated', 'deleted']).optional(),
    updatedSince: z.number().optional(),
    includeDeleted: z.boolean(),
  }),
]);

/** Writes a cursor: base64url without padding, with a check sum so that a damaged one is noticed. */
export function encodeCursor({ filters, after }: Cursor): string {
  const { type, search, version, tag, source, status, updatedSince, includeDeleted } = filters;
  const carried = { type, search, version, tag, source, status, updatedSince, includeDeleted };
  const payload = JSON.stringify([FORMAT, [after.name, after.version, after.score ?? null], carried]);
  return Buffer.from(checkOf(payload) + payload).toString('base64url');
}

/** @throws HttpError 400 `cursor_invalid` for anything this registry did not give out, or gave out for another list */
export function decodeCursor(text: string, type: Filters['type']): Cursor {
  const plain = Buffer.from(text, 'base64url').toString('utf8');
  const payload = plain.slice(CHECK_LENGTH);
  const intact = /^[A-Za-z0-9_-]+$/.test(text) && plain.slice(0, CHECK_LENGTH) === checkOf(payload);
  const parsed = intact ? payloadSchema.safeParse(parseJson(payload)) : undefined;
  if (!parsed?.success || parsed.data[2].type !== type) {
    throw new HttpError(
      400,
      'cursor_invalid',
      'The cursor is damaged or of another list: start again without it.',
    );
  }
  const [, [name, version, score], carried] = parsed.data;
  const filters: Filters = {
    type,
    includeDeleted: carried.includeDeleted,
    ...(carried.search === undefined ? {} : { search: carried.search }),
    ...(carried.version === undefined ? {} : { version: carried.version }),
    ...(carried.tag === undefined ? {} : { tag: carried.tag }),
    ...(carried.source === undefined ? {} : { source: carried.source }),
    ...(carried.status === undefined ? {} : { status: carried.status }),
    ...(carried.updatedSince === undefined ? {} : { updatedSince: carried.updatedSince }),
  };
  return { filters, after: score === null ? { name, version } : { name, version, score } };
}

/** The check sum is no secret: what passes it may still be no JSON, and then is undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checkOf(payload: string): string {
  return hash('sha256', payload, 'base64url').slice(0, CHECK_LENGTH);
}
