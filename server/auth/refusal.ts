import type { AuthFailure } from './identity.ts';

/**
 * Every way a request is refused, by the reason that metrics count. Descriptions go to the client: they hold neither
 * token content nor the name of a provider, and only characters that RFC 6750 allows in `error_description`.
 */
const REFUSALS = {
  missing: ['invalid_request', 'a bearer token is required'],
  malformed_header: ['invalid_request', 'the Authorization header must be: Bearer, one blank, the token'],
  malformed: ['invalid_token', 'the token is malformed'],
  algorithm: ['invalid_token', 'the signature algorithm of the token is not accepted'],
  issuer: ['invalid_token', 'the token was not issued by a configured provider'],
  audience: ['invalid_token', 'the token is meant for another audience'],
  expired: ['invalid_token', 'token expired'],
  not_yet_valid: ['invalid_token', 'the token is not valid yet'],
  signature: ['invalid_token', 'token signature could not be verified'],
  unknown_key: ['invalid_token', 'token signature could not be verified'],
  inactive: ['invalid_token', 'the token is not active'],
  provider_unavailable: ['invalid_token', 'the identity provider cannot be reached at the moment'],
  disabled: ['invalid_request', 'authentication is disabled here, so there is no identity to report'],
} as const satisfies Record<string, readonly [AuthFailure['failure'], string]>;

export type RefusalReason = keyof typeof REFUSALS;

/** The failure for a reason. */
export function refuse(reason: RefusalReason): AuthFailure {
  const [failure, description] = REFUSALS[reason];
  return { failure, description, reason };
}
