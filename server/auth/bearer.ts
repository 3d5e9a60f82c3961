import type { AuthFailure } from './identity.ts';
import { refuse } from './refusal.ts';

/** Longer tokens are refused; Node itself takes 16 KiB of headers. */
const MAX_LENGTH = 16_384;
const BEARER = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The token of an `Authorization` header (specification 5.2, contract 12.12): the scheme in any case, exactly one
 * blank, then a token of RFC 6750 characters without quotes or further white space.
 */
export function readBearer(header: string): string | AuthFailure {
  const token = header.length <= MAX_LENGTH ? BEARER.exec(header)?.[1] : undefined;
  return token ?? refuse('malformed_header');
}
