import type { Exchange } from '../../proxy/exchange.ts';
import type { AuthzConfig } from './authz-config.ts';
import { prefixMembers } from './cedar-value.ts';
import type { CedarValue, Entity } from './load-policies.ts';

/** Who asks, as Cedar sees them: `Client::"<sub>"` with `claim_*`, in its groups and roles (contract 5 and 8). */
export interface Principal {
  readonly entity: Entity;
  /** The same `claim_*`, for the context. */
  readonly claims: Record<string, CedarValue>;
}

/**
 * @param config names the claims with groups and roles; `groups` and `roles` when it names none
 */
export function describePrincipal(
  { identity, claims }: Pick<Exchange, 'identity' | 'claims'>,
  config: AuthzConfig['cedar'],
): Principal {
  const attributes = prefixMembers('claim', claims);
  const listed = (type: string, path: string) => readNames(claims, path).map((id) => ({ type, id }));
  const groups = listed('Group', config.group_claim_name ?? 'groups');
  const roles = listed('Role', config.role_claim_name ?? 'roles');
  return {
    entity: {
      uid: { type: 'Client', id: identity?.subject ?? 'anonymous' },
      attrs: attributes,
      parents: [...groups, ...roles],
    },
    claims: attributes,
  };
}

/** The texts of a claim: one, several, or those of a member inside an object (`realm_access.roles`). */
function readNames(claims: Readonly<Record<string, unknown>>, path: string): string[] {
  let found: unknown = Object.hasOwn(claims, path) ? claims[path] : undefined;
  if (found === undefined) {
    found = path.split('.').reduce<unknown>((value, step) => {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
      return new Map<string, unknown>(Object.entries(value)).get(step);
    }, claims);
  }
  const list: readonly unknown[] = Array.isArray(found) ? found : [found];
  return list.filter((name) => typeof name === 'string');
}
