import { type Claims, claimsSchema } from '../../sources/model/claims.ts';
import { isPlainObject } from '../../sources/model/plain-object.ts';
import { HttpError } from '../http/problem.ts';

/**
 * A claims object out of a request (contract 7): each value a string or a non-empty array of strings.
 * @throws HttpError 400 `claims_invalid`, which names the key
 */
export function readClaims(value: unknown): Claims {
  if (!isPlainObject(value)) throw invalid('claims must be an object of claim names and values.');
  const parsed = claimsSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`claims.${String(issue?.path[0] ?? '')} must be a string or a non-empty array of strings.`);
  }
  // A key no plain object can carry would be lost without a word, and the entry be seen by more callers than meant.
  const lost = Object.keys(value).find((key) => !Object.hasOwn(parsed.data, key));
  if (lost !== undefined) throw invalid(`claims must not have the key ${lost}.`);
  return parsed.data;
}

/** Whether a member of a request body is there: `null` counts as left out. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function invalid(detail: string): HttpError {
  return new HttpError(400, 'claims_invalid', detail);
}
