/** Longer headers are refused; Node itself takes 16 KiB of headers in all. */
const MAX_LENGTH = 16_384;
const SCHEME = 'bearer ';
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * What follows the scheme and one blank in an `Authorization` header (specification 5.2), the scheme in any case
 * (contract 12.12); undefined for anything else. Whether it can be a token says `isTokenText`: a token that is
 * remembered was checked before, and the check is what would cost most about it.
 */
export function sliceToken(header: string): string | undefined {
  if (header.length > MAX_LENGTH || header.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined;
  return header.slice(SCHEME.length);
}

/** Whether a text has the characters of RFC 6750 only: no white space, no quotes. */
export function isTokenText(text: string): boolean {
  return TOKEN.test(text);
}
