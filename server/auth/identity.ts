import type { HeldClaims } from '../../sources/model/claims.ts';

/** Role names in the order they are reported (contract 6). */
export const ROLES = ['superAdmin', 'manageSources', 'manageRegistries', 'manageEntries'] as const;
export type Role = (typeof ROLES)[number];

/** Who calls. One object per validated token, remembered until the token expires; never changed after it was made. */
export interface Identity {
  readonly subject: string;
  readonly held: HeldClaims;
  readonly roles: readonly Role[];
  /** Sees everything and passes every claims check: super-admin, auth-only mode, anonymous mode. */
  readonly unrestricted: boolean;
  /** True only for a caller that holds the superAdmin role under `auth.authz`. */
  readonly superAdmin: boolean;
  /** No token was presented (anonymous mode, or a public path). */
  readonly anonymous: boolean;
  /** When the token ends, in milliseconds since the epoch; Infinity without a token. */
  readonly expiresAt: number;
  /** All members of the token, where they are kept (`AuthenticatorDeps.keepsMembers`). */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** Why a request was refused before it reached a resource: 401 with a challenge. */
export interface AuthFailure {
  readonly failure: 'invalid_request' | 'invalid_token';
  /** For the client and `error_description`: no token content, no host. */
  readonly description: string;
  /** For metrics: missing, malformed, expired, signature, issuer, audience, provider_unavailable, inactive ... */
  readonly reason: string;
}

export type AuthResult = Identity | AuthFailure;

/** Decides who calls. Answers at once for a remembered token, else with a promise; never throws for a bad token. */
export interface Authenticator {
  /**
   * @param authorization the `Authorization` header as received, undefined when absent
   * @param path the raw request path (public paths are decided on it)
   */
  authenticate(authorization: string | undefined, path: string): AuthResult | Promise<AuthResult>;
  /** The `WWW-Authenticate` value for a failure. */
  challenge(failure: AuthFailure): string;
}

export function isFailure(result: AuthResult): result is AuthFailure {
  return 'failure' in result;
}
