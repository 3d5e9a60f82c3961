import type { BuildSettings } from './build-settings.ts';

const SECRET_NAME = /token|secret|passw|auth|credential|api_?key/i;

/** The shortest value taken for a secret: shorter ones are found everywhere by chance. */
const SHORTEST = 6;

/**
 * The secret values in build settings: tokens and passwords of the credential files, passwords in URLs, and variables
 * whose names say so. No image may hold one of them.
 */
export function listSecretValues({ env, authFiles }: BuildSettings): readonly string[] {
  const found: string[] = [];
  for (const text of [...Object.values(authFiles), ...Object.values(env)]) {
    for (const [, password] of text.matchAll(/\/\/[^\s/:@]+:([^\s/@]+)@/g)) found.push(password ?? '');
  }
  for (const [, value] of (authFiles.npmrc ?? '').matchAll(
    /(?:_authToken|_password|_auth)\s*=\s*"?([^\s"]+)/g,
  )) {
    found.push(value ?? '');
  }
  for (const [, value] of (authFiles.netrc ?? '').matchAll(/\bpassword\s+(\S+)/g)) found.push(value ?? '');
  for (const [name, value] of Object.entries(env)) if (SECRET_NAME.test(name)) found.push(value);
  return [...new Set(found)].filter((value) => value.length >= SHORTEST && !value.includes('\n'));
}

/** A text without any of the values. */
export function hideValues(text: string, values: readonly string[]): string {
  return values.reduce((hidden, value) => hidden.replaceAll(value, '***'), text);
}
