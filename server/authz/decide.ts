import { type ClaimSet, satisfiesSubset, satisfiesVisibility } from '../../sources/model/claims.ts';
import type { Identity, Role } from '../auth/identity.ts';
import { HttpError } from '../http/problem.ts';

/**
 * The visibility rule (specification 5.9, 5.10): whether the caller may read, reach or delete a resource with these
 * claims, or publish into such a source. Without claims only an unrestricted caller may.
 */
export function mayPass(identity: Identity, claims: ClaimSet): boolean {
  return identity.unrestricted || satisfiesVisibility(claims, identity.held);
}

/** The subset rule (specification 5.9): whether the caller may put these claims on a resource. */
export function mayWrite(identity: Identity, claims: ClaimSet): boolean {
  return identity.unrestricted || satisfiesSubset(claims, identity.held);
}

/** Whether the caller holds a role; a super-admin holds them all (specification 5.7). */
export function holdsRole(identity: Identity, role: Role): boolean {
  return identity.superAdmin || identity.roles.includes(role);
}

/** @throws HttpError 403 `role_missing`, which names the role, unless the caller holds it */
export function requireRole(identity: Identity, role: Role): void {
  if (holdsRole(identity, role)) return;
  throw new HttpError(
    403,
    'role_missing',
    `This call needs the role ${role}, which the caller does not hold.`,
    {
      fix: `Sign in as someone with the role ${role}, or have a rule added to auth.authz.roles.${role}.`,
    },
  );
}
