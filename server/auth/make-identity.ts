import type { AuthConfig } from '../../sources/config/schema.ts';
import { compileRoles, resolveRoles } from '../authz/roles.ts';
import { readHeldClaims } from './claims-of-token.ts';
import { type Identity, ROLES } from './identity.ts';

/** The one caller of anonymous mode: every check passes (specification 5.1). */
export const ANYBODY: Identity = {
  subject: '',
  held: new Map(),
  roles: ROLES,
  unrestricted: true,
  superAdmin: false,
  anonymous: true,
  expiresAt: Number.POSITIVE_INFINITY,
};

/**
 * A caller without a token on a public path: no roles, no claims (contract 12.11). In auth-only mode claims filtering
 * is off for everybody, so such a caller sees what the path shows.
 */
export function makePasserBy(authz: AuthConfig['authz']): Identity {
  return { ...ANYBODY, roles: [], unrestricted: authz === undefined };
}

/** Makes the identity of a validated token. */
export type MakeIdentity = (members: Readonly<Record<string, unknown>>, expiresAt: number) => Identity;

/**
 * Prepares the making of identities for an `auth.authz` block. Without one every caller holds every role and sees
 * everything (auth-only mode, specification 5.13).
 * @param keepsMembers whether identities hold what their token says, for those that judge by more than claims
 */
export function createIdentityMaker(authz: AuthConfig['authz'], keepsMembers = false): MakeIdentity {
  const compiled = authz && compileRoles(authz.roles);
  return (members, expiresAt) => {
    const held = readHeldClaims(members);
    const roles = compiled ? resolveRoles(compiled, held) : ROLES;
    const superAdmin = compiled !== undefined && roles.includes('superAdmin');
    return {
      subject: readSubject(members),
      held,
      roles,
      unrestricted: compiled === undefined || superAdmin,
      superAdmin,
      anonymous: false,
      expiresAt,
      ...(keepsMembers ? { members } : {}),
    };
  };
}

/** A token of client credentials may carry no `sub` when it is introspected (RFC 7662): its client is who calls. */
function readSubject({ sub, client_id: client }: Readonly<Record<string, unknown>>): string {
  if (typeof sub === 'string' && sub !== '') return sub;
  return typeof client === 'string' ? client : '';
}
