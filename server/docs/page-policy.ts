import { hash } from 'node:crypto';

/**
 * The Content-Security-Policy of a page: scripts, pictures and requests of this service only, nothing inline but the
 * styles named here.
 * @param styles `'unsafe-inline'` for a viewer that sets style attributes, else source expressions of known styles
 */
export function writePagePolicy(styles: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styles.join(' ')}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The source expression that allows exactly this inline style. */
export function allowStyle(css: string): string {
  return `'sha256-${hash('sha256', css, 'base64')}'`;
}
