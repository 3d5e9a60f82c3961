import { normalizeClaims } from '../../sources/model/claims.ts';
import type { Identity } from '../auth/identity.ts';
import { mayPass } from '../authz/decide.ts';
import { HttpError } from '../http/problem.ts';
import type { ManagedSourceInfo } from './entry-context.ts';

/**
 * The managed source a publish goes to (contract 2, `managed`): the one that is named, else the only one.
 * @param named `?source=`
 * @throws HttpError 400 `no_managed_source`, `source_unknown`, or `source_ambiguous` naming those the caller may use
 */
export function chooseManagedSource(
  sources: readonly ManagedSourceInfo[],
  identity: Identity,
  named: string | undefined,
): ManagedSourceInfo {
  if (named !== undefined) {
    const source = sources.find(({ name }) => name === named);
    if (source) return source;
    throw new HttpError(400, 'source_unknown', 'There is no managed source of the name given with ?source=.');
  }
  const [only, ...others] = sources;
  if (!only)
    throw new HttpError(400, 'no_managed_source', 'This registry has no managed source to publish into.');
  if (others.length === 0) return only;
  const usable = sources.filter((source) => mayPublishInto(identity, source)).map(({ name }) => name);
  const choice =
    usable.length > 0
      ? `Add ?source= with one of: ${usable.join(', ')}.`
      : 'You may publish into none of them.';
  throw new HttpError(400, 'source_ambiguous', `There are several managed sources. ${choice}`);
}

/** The gate of publishing (specification 5.11 rule 2): source claims under the visibility rule. */
export function mayPublishInto(identity: Identity, { claims }: ManagedSourceInfo): boolean {
  return mayPass(identity, normalizeClaims(claims));
}
