import { z } from 'zod';
import { REGISTRY_RECORD, recordOf, SOURCE_RECORD } from '../../server/declared-records.ts';
import type { StoredRecord } from '../../server/overlay/overlay-store.ts';
import { isPlainObject, type PlainObject } from '../../sources/model/plain-object.ts';
import { withoutCredentials } from './without-credentials.ts';

/** Kinds of records that belong to an overlay; the others are states of running processes. */
export const API_RECORDS = [SOURCE_RECORD, REGISTRY_RECORD] as const;

const stored = z.strictObject({
  body: z.custom<PlainObject>(isPlainObject, 'must be an object'),
  createdAt: z.int().min(0),
  updatedAt: z.int().min(0),
});

/** @throws SyntaxError, ZodError for what no record holds */
export function readRecord(json: string): z.infer<typeof stored> {
  return stored.parse(JSON.parse(json));
}

/** The record without the credentials that the address of a source may hold. */
export function toShareable(record: StoredRecord): StoredRecord {
  if (record.kind !== SOURCE_RECORD) return record;
  const { body, createdAt, updatedAt } = readRecord(record.json);
  return { ...record, json: recordOf(withoutCredentials(body), createdAt, updatedAt) };
}
