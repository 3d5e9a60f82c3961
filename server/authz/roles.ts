import type { AuthConfig } from '../../sources/config/schema.ts';
import {
  type ClaimSet,
  type HeldClaims,
  normalizeClaims,
  satisfiesVisibility,
} from '../../sources/model/claims.ts';
import { ROLES, type Role } from '../auth/identity.ts';

export type RolesConfig = NonNullable<AuthConfig['authz']>['roles'];

/** Role rules in the form they are matched in, roles in reporting order. */
export type CompiledRoles = ReadonlyArray<readonly [role: Role, rules: readonly ClaimSet[]]>;

/** Prepares `auth.authz.roles` for matching. */
export function compileRoles(roles: RolesConfig): CompiledRoles {
  return ROLES.map((role) => [role, (roles[role] ?? []).map(normalizeClaims)] as const);
}

/**
 * The roles a caller holds, in reporting order (specification 5.7): those with a rule whose every key shares a value
 * with the caller. An empty rule matches nobody (contract 7). A super-admin is reported with the roles that match,
 * not with those it may use anyway.
 */
export function resolveRoles(roles: CompiledRoles, held: HeldClaims): readonly Role[] {
  return roles
    .filter(([, rules]) => rules.some((rule) => satisfiesVisibility(rule, held)))
    .map(([role]) => role);
}
