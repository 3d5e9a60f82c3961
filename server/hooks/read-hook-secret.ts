import { readFile } from 'node:fs/promises';
import { BerthError } from '../../sources/errors.ts';

/**
 * Reads the secret of the git hooks (contract 2 `hooks.secretFile`), anew for every use so that a rotated secret counts
 * at once. Blanks and line breaks around it are not part of it.
 * @param file absolute path
 * @throws BerthError `hook_secret_unreadable`, `hook_secret_empty`
 */
export async function readHookSecret(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new BerthError('hook_secret_unreadable', 'The secret of the git hooks cannot be read.', {
      at: { file },
      fix: 'Create the file named by hooks.secretFile and let this user read it.',
      cause,
    });
  });
  const secret = text.trim();
  if (secret === '') {
    throw new BerthError('hook_secret_empty', 'The secret of the git hooks is empty.', {
      at: { file },
      fix: 'Write the secret that the git server was given into the file.',
    });
  }
  return secret;
}
