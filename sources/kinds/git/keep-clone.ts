import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitAddress } from './git-address.ts';
import type { GitRunner } from './run-git.ts';

/** Where a repository's clone lies, and the configuration file all clones share. Absolute, never shown. */
export interface ClonePlace {
  readonly gitDir: string;
  readonly configFile: string;
}

export function placeClone(dataDir: string, address: GitAddress): ClonePlace {
  const id = createHash('sha256').update(address.url).digest('hex').slice(0, 32);
  return { gitDir: join(dataDir, 'git', id), configFile: join(dataDir, 'git', 'gitconfig') };
}

/** Makes the directories, and the configuration that lets a local repository of another user be read. */
export async function preparePlace(place: ClonePlace): Promise<void> {
  await mkdir(place.gitDir, { recursive: true, mode: 0o700 });
  if (existsSync(place.configFile)) return;
  // Reading runs no hook of the other repository, and git takes this setting from no other place.
  await writeFile(place.configFile, '[safe]\n\tdirectory = *\n', { mode: 0o600 });
}

/** Makes an empty bare clone when there is none. */
export async function ensureClone(git: GitRunner, place: ClonePlace, address: GitAddress): Promise<void> {
  if (existsSync(join(place.gitDir, 'HEAD'))) return;
  await git.run(['init', '--bare', '--quiet']);
  await git.run(['config', 'remote.origin.url', address.url]);
}

export async function removeClone(place: ClonePlace): Promise<void> {
  await rm(place.gitDir, { recursive: true, force: true });
}
