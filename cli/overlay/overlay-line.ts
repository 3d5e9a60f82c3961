import { z } from 'zod';
import type { StoredEntry, StoredRecord } from '../../server/overlay/overlay-store.ts';
import { claimsSchema } from '../../sources/model/claims.ts';

/** The first line of an exported overlay; a form that older programs cannot read gets another version. */
export const HEADER = { berth: 'overlay', version: 1 } as const;

/** One line of an exported overlay after the first: an entry, or a source or registry made through the API. */
export type OverlayLine = { readonly entry: StoredEntry } | { readonly record: StoredRecord };

export const headerSchema = z.object({ berth: z.literal('overlay'), version: z.int() });

// PostgreSQL cannot hold the character.
const text = z.string().regex(/^[^\0]*$/, 'must not hold the character U+0000');
const time = z.int().min(0);

const version = z.strictObject({
  version: text.min(1),
  body: text,
  tags: z.array(text),
  tools: z.array(text),
  status: z.enum(['active', 'deprecated', 'deleted']),
  statusMessage: text.exactOptional(),
  publishedAt: time,
  updatedAt: time,
  statusChangedAt: time,
});

const entry = z.strictObject({
  source: text.min(1),
  type: z.enum(['server', 'skill']),
  name: text.min(1),
  claims: claimsSchema,
  claimsChangedAt: time,
  versions: z.array(version).min(1),
});

const record = z.strictObject({ kind: z.enum(['source', 'registry']), name: text.min(1), json: text });

/** What a line holds, each version only once. */
export const lineSchema: z.ZodType<OverlayLine> = z.union(
  [z.strictObject({ entry }), z.strictObject({ record })],
  { error: 'must be an object with exactly one of entry and record' },
);
