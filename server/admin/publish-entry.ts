import { summarizeProblems } from '../../sources/catalog/describe-problems.ts';
import { validateServer } from '../../sources/catalog/validate-server.ts';
import { validateSkill } from '../../sources/catalog/validate-skill.ts';
import type { ValidEntry } from '../../sources/catalog/validation.ts';
import { type Claims, normalizeClaims } from '../../sources/model/claims.ts';
import { isPlainObject, type PlainObject } from '../../sources/model/plain-object.ts';
import type { Identity } from '../auth/identity.ts';
import { mayWrite, requireRole } from '../authz/decide.ts';
import { HttpError, type MemberProblem } from '../http/problem.ts';
import type { AdminCall, AdminResult } from './admin-route.ts';
import { chooseManagedSource, mayPublishInto } from './choose-managed-source.ts';
import type { EntryContext } from './entry-context.ts';
import { isGiven, readClaims } from './read-claims.ts';

const MEMBERS = ['server', 'skill', 'claims'];
/** What is wrong with an entry is told up to here; whoever has more to repair asks again. */
const MOST_ERRORS = 50;

/**
 * `POST /v1/entries` (specification 5.11, contract 6). Checks in the contract's order: role 403; claims 400; exactly one
 * kind, schema and choice of source 400; subset 403; source visible 403; claims equal 409; duplicate version 409.
 * @returns 201 with the bare server.json or skill as it is stored, and its `Location`
 * @throws HttpError `role_missing`, `claims_missing`, `claims_invalid`, `kind_ambiguous`, `schema_invalid`,
 *   `no_managed_source`, `source_unknown`, `source_ambiguous`, `claims_not_subset`, `source_forbidden`,
 *   `claims_differ`, `version_exists`, `store_unavailable`
 */
export async function publishEntry(
  context: EntryContext,
  call: Pick<AdminCall, 'identity' | 'query' | 'body' | 'name'>,
): Promise<AdminResult> {
  const { identity, query } = call;
  requireRole(identity, 'manageEntries');
  const { body } = call;
  if (!isPlainObject(body)) {
    throw schemaInvalid('The body must be an object with `server` or `skill`, and `claims`.');
  }
  const claims = readPublishClaims(identity, body.claims);
  const entry = readEntry(body, context.maxMetaBytes());
  call.name({ resourceType: entry.type, resourceName: entry.name, version: entry.version });
  const source = chooseManagedSource(context.managedSources(), identity, query.get('source'));
  if (!mayWrite(identity, normalizeClaims(claims))) throw notSubset();
  if (!mayPublishInto(identity, source)) {
    throw new HttpError(403, 'source_forbidden', 'Your claims do not allow publishing into this source.');
  }
  await context.overlay.publish(source.name, entry, claims);
  const path = [entry.type, entry.name, 'versions', entry.version].map(encodeURIComponent).join('/');
  return { status: 201, body: entry.body, headers: { Location: `/v1/entries/${path}` } };
}

/** The 403 of the subset rule (specification 5.9). */
export function notSubset(): HttpError {
  return new HttpError(
    403,
    'claims_not_subset',
    'You may only set claims whose every value your own token carries.',
  );
}

/** In anonymous mode there is nobody to hold claims against: they may be left out. */
function readPublishClaims(identity: Identity, value: unknown): Claims {
  const claims = isGiven(value) ? readClaims(value) : {};
  if (!identity.anonymous && Object.keys(claims).length === 0) {
    throw new HttpError(
      400,
      'claims_missing',
      'A published entry needs claims: add a non-empty `claims` object to the body.',
    );
  }
  return claims;
}

function readEntry(body: PlainObject, maxMetaBytes: number): ValidEntry {
  const kinds = (['server', 'skill'] as const).filter((kind) => isGiven(body[kind]));
  const [kind] = kinds;
  if (!kind || kinds.length > 1) {
    throw new HttpError(400, 'kind_ambiguous', 'The body must have exactly one of `server` and `skill`.');
  }
  const unknown = Object.keys(body).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined)
    throw schemaInvalid(`The body has the unknown member ${JSON.stringify(unknown.slice(0, 64))}.`);
  const validate = kind === 'server' ? validateServer : validateSkill;
  const checked = validate(body[kind], { maxMetaBytes });
  if (!checked.ok) {
    const { problems } = checked;
    throw schemaInvalid(
      `The ${kind} is not valid: ${summarizeProblems(problems)}.`,
      problems.slice(0, MOST_ERRORS),
    );
  }
  return checked.entry;
}

function schemaInvalid(detail: string, errors?: readonly MemberProblem[]): HttpError {
  return new HttpError(400, 'schema_invalid', detail, errors ? { errors } : {});
}
