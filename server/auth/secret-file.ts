import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BerthError, messageOf } from '../../sources/errors.ts';

/**
 * Reads a credential from its file, without surrounding white space. Read at each use, so a secret that is replaced
 * (as mounted ones are) counts at once.
 * @param path as configured, relative to `baseDir`
 * @throws BerthError `secret_unreadable` when the file cannot be read, is empty, or holds anything but visible ASCII
 */
export async function readSecretFile(baseDir: string, path: string): Promise<string> {
  const file = resolve(baseDir, path);
  const fail = (what: string, cause?: unknown): BerthError =>
    new BerthError('secret_unreadable', `The secret file ${what}.`, {
      at: { file },
      fix: 'Put the secret into the file as one line and let the service read it.',
      cause,
    });
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fail(`cannot be read (${messageOf(error)})`, error);
  });
  const secret = text.trim();
  if (secret === '') throw fail('is empty');
  // Also keeps a header error, which would quote the value, from ever being raised.
  if (!/^[\x20-\x7e]+$/.test(secret)) throw fail('holds a line break or characters outside ASCII');
  return secret;
}
