import { type Claims, normalizeClaims } from '../../sources/model/claims.ts';
import { isPlainObject } from '../../sources/model/plain-object.ts';
import { mayWrite, requireRole } from '../authz/decide.ts';
import { HttpError } from '../http/problem.ts';
import type { AdminCall, AdminResult } from './admin-route.ts';
import type { EntryContext } from './entry-context.ts';
import { admitVisible, type EntryCall, findManagedEntry, readEntryType } from './find-entry.ts';
import { notSubset } from './publish-entry.ts';
import { isGiven, readClaims } from './read-claims.ts';

/**
 * `GET /v1/entries/{type}/{name}/claims`: the claims envelope (specification 2.5).
 * @throws HttpError 403 `role_missing`, 400 `type_invalid`, 403 `entry_forbidden`, 404 `entry_not_found`,
 *   `entry_not_managed`
 */
export function readEntryClaims(context: EntryContext, call: EntryCall): AdminResult {
  requireRole(call.identity, 'manageEntries');
  const key = findManagedEntry(context, call);
  return { status: 200, body: { claims: context.overlay.readClaims(key) ?? {} } };
}

/**
 * `PUT` of the same (specification 5.12): the caller sees the entry as it is, and the new claims are a subset of its
 * own; `{}` clears them.
 * @throws HttpError as `readEntryClaims`, and 400 `claims_missing`, `claims_invalid`, 403 `claims_not_subset`, 503
 *   `store_unavailable`
 */
export async function replaceEntryClaims(context: EntryContext, call: AdminCall): Promise<AdminResult> {
  requireRole(call.identity, 'manageEntries');
  readEntryType(call);
  const claims = readEnvelope(call.body);
  const key = findManagedEntry(context, call);
  if (!mayWrite(call.identity, normalizeClaims(claims))) throw notSubset();
  await context.overlay.replaceClaims(key, claims, admitVisible(call.identity));
  return { status: 204 };
}

function readEnvelope(body: unknown): Claims {
  if (!isPlainObject(body) || !isGiven(body.claims)) {
    throw new HttpError(
      400,
      'claims_missing',
      'The body must be {"claims": {…}}; an empty object clears the claims.',
    );
  }
  if (Object.keys(body).length > 1) {
    throw new HttpError(400, 'claims_invalid', 'The body must have no other member than `claims`.');
  }
  return readClaims(body.claims);
}
