/**
 * Sent with every answer (contract 9). The resource policy is `cross-origin` because the API is read from other
 * origins; a surface that serves pages replaces `Content-Security-Policy` by a stricter one.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
});
