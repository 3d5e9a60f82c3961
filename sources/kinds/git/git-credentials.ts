import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { GitSource } from '../../config/schema.ts';
import { BerthError } from '../../errors.ts';
import { showPath } from '../locate-path.ts';
import type { GitAddress } from './git-address.ts';

export interface GitCredentials {
  /** For http(s). */
  readonly basic?: { readonly username: string; readonly password: string };
  /** For ssh: absolute path of the private key. */
  readonly sshKeyFile?: string;
}

/**
 * Reads the credentials of a source: those of `auth`, else those its address was written with.
 *
 * @throws BerthError `source_git_auth` when a named file cannot be read
 */
export async function readCredentials(
  auth: GitSource['auth'],
  address: GitAddress,
  baseDir: string,
): Promise<GitCredentials> {
  const sshKeyFile = auth?.sshKeyFile === undefined ? {} : { sshKeyFile: resolve(baseDir, auth.sshKeyFile) };
  if (auth?.sshKeyFile !== undefined) await readSecret(auth.sshKeyFile, 'sshKeyFile', baseDir);
  const password =
    auth?.passwordFile === undefined
      ? address.password
      : (await readSecret(auth.passwordFile, 'passwordFile', baseDir)).replace(/\r?\n$/, '');
  const username = auth?.username ?? address.username;
  if (password === undefined && username === undefined) return sshKeyFile;
  // Hosts that take a token alone accept any user name with it.
  return { ...sshKeyFile, basic: { username: username ?? 'git', password: password ?? '' } };
}

async function readSecret(path: string, key: string, baseDir: string): Promise<string> {
  return readFile(resolve(baseDir, path), 'utf8').catch(() => {
    throw new BerthError('source_git_auth', `The file of \`auth.${key}\` cannot be read.`, {
      at: { file: showPath(path) },
      fix: 'Create it, or let the user that runs Berth read it.',
    });
  });
}
