import { type Claims, normalizeClaims } from '../../sources/model/claims.ts';
import type { Identity } from '../auth/identity.ts';
import { mayPass, mayWrite } from '../authz/decide.ts';
import type { Declared } from '../declared.ts';
import { HttpError } from '../http/problem.ts';

export type What = 'source' | 'registry';

type Labelled = Declared<{ readonly claims?: Claims | undefined }>;

/** Whether the caller sees a source or registry (specification 5.9). */
export function seesDeclared(identity: Identity, { config }: Labelled): boolean {
  return mayPass(identity, normalizeClaims(config.claims));
}

/**
 * What exists may be changed by whoever sees it, unless the configuration file owns it (specification 5.12).
 * @throws HttpError 403 `source_forbidden`, `registry_forbidden`, `source_config_owned`, `registry_config_owned`
 */
export function checkChangeable(identity: Identity, what: What, before: Labelled): void {
  if (!seesDeclared(identity, before)) {
    throw new HttpError(403, `${what}_forbidden`, `Your claims do not give access to this ${what}.`);
  }
  if (before.creationType === 'CONFIG') {
    throw new HttpError(
      403,
      `${what}_config_owned`,
      `This ${what} belongs to the configuration file and is changed there.`,
    );
  }
}

/** @throws HttpError 403 `claims_not_subset` (specification 5.9, subset rule) */
export function checkSubset(identity: Identity, claims: Claims | undefined): void {
  if (mayWrite(identity, normalizeClaims(claims))) return;
  throw new HttpError(
    403,
    'claims_not_subset',
    'You can only set claims that you hold yourself, every value of them.',
  );
}

export function notDeclared(what: What): HttpError {
  return new HttpError(404, `${what}_not_found`, `There is no ${what} of this name.`);
}
