import { describeIssue, describeProblems, summarizeProblems } from '../../catalog/describe-problems.ts';
import { type Claims, claimsSchema } from '../../model/claims.ts';
import { isPlainObject } from '../../model/plain-object.ts';

export type ReadClaims =
  | { readonly ok: true; readonly claims: Claims }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads an `authz-claims` annotation (specification 2.2). Absent means unlabeled. Anything that is not a claims object
 * is refused rather than repaired: who mistypes a restriction must not publish to everybody.
 */
export function readClaims(text: string | undefined): ReadClaims {
  if (text === undefined) return { ok: true, claims: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'is not JSON' };
  }
  if (!isPlainObject(value)) return { ok: false, reason: 'must be a JSON object' };
  if (Object.hasOwn(value, '__proto__')) return { ok: false, reason: '__proto__ is no claim' };
  const parsed = claimsSchema.safeParse(value, { error: describeIssue });
  if (parsed.success) return { ok: true, claims: parsed.data };
  return { ok: false, reason: summarizeProblems(describeProblems(parsed.error)) };
}
