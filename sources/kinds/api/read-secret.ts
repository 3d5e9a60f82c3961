import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BerthError } from '../../errors.ts';
import { showPath } from '../locate-path.ts';

/**
 * Reads a credential from its file, without surrounding white space. Read at each use, so that one which is replaced
 * (as mounted ones are) counts at once.
 *
 * @param path as configured, relative to `baseDir`
 * @param key the setting that names it, such as `auth.tokenFile`
 * @throws BerthError `source_secret_unreadable`
 */
export async function readSecret(path: string, key: string, baseDir: string): Promise<string> {
  const refuse = (what: string) =>
    new BerthError('source_secret_unreadable', `The file of \`${key}\` ${what}.`, {
      at: { file: showPath(path) },
      fix: 'Put the secret into it as one line, and let the user that runs Berth read it.',
    });
  const text = await readFile(resolve(baseDir, path), 'utf8').catch(() => {
    throw refuse('cannot be read');
  });
  const secret = text.trim();
  if (secret === '') throw refuse('is empty');
  // A header that cannot hold it would raise an error that quotes it.
  if (!/^[\x20-\x7e]+$/.test(secret)) throw refuse('holds a line break or characters outside ASCII');
  return secret;
}
