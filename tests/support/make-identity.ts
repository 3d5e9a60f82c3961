import type { Identity } from '../../server/auth/identity.ts';
import { type Claims, normalizeClaims } from '../../sources/model/claims.ts';

/** A caller under authz who holds these claims. */
export function makeIdentity(claims: Claims, more: Partial<Identity> = {}): Identity {
  return {
    subject: 'somebody',
    held: new Map(normalizeClaims(claims)),
    roles: [],
    unrestricted: false,
    superAdmin: false,
    anonymous: false,
    expiresAt: Number.POSITIVE_INFINITY,
    ...more,
  };
}

/** The caller of anonymous mode. */
export function makeAnonymous(): Identity {
  return makeIdentity({}, { subject: '', unrestricted: true, anonymous: true });
}

/** A super-admin under authz. */
export function makeSuperAdmin(): Identity {
  return makeIdentity({}, { unrestricted: true, superAdmin: true, roles: ['superAdmin'] });
}
