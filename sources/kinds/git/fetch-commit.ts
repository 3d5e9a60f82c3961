import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GitReference } from './git-reference.ts';
import type { GitRunner } from './run-git.ts';

const common = ['--no-tags', '--no-recurse-submodules', '--force', '--progress'];

/**
 * Brings a reference into the clone, shallow and without file contents where the remote can do that, and answers the
 * commit it stands for. A pinned commit that is here already costs no connection.
 */
export async function fetchCommit(git: GitRunner, reference: GitReference, gitDir: string): Promise<string> {
  if (reference.kind === 'commit') return fetchPinned(git, reference, gitDir);
  await fetchShallow(git, [`+${reference.remote}:${reference.local}`]);
  return resolveCommit(git, reference.local);
}

async function fetchPinned(git: GitRunner, reference: GitReference, gitDir: string): Promise<string> {
  const kept = await resolveCommit(git, reference.local).catch(() => undefined);
  if (kept !== undefined) return kept;
  if (reference.name.length === 40 || reference.name.length === 64) {
    try {
      await fetchShallow(git, [`+${reference.name}:${reference.local}`]);
      return await resolveCommit(git, reference.local);
    } catch (error) {
      if (!/not our ref|unadvertised object|couldn't find remote ref/i.test(String(error))) throw error;
    }
  }
  // Not every server gives a commit by its id, and none by a part of it: then the whole history is needed.
  const all = ['+refs/heads/*:refs/berth-all/heads/*', '+refs/tags/*:refs/berth-all/tags/*'];
  const deepen = existsSync(join(gitDir, 'shallow')) ? ['--unshallow'] : [];
  await git.run(['fetch', ...common, ...deepen, '--prune', '--filter=blob:none', 'origin', ...all]);
  const commit = await resolveCommit(git, reference.name);
  await git.run(['update-ref', reference.local, commit]);
  return commit;
}

async function fetchShallow(git: GitRunner, refspecs: readonly string[]): Promise<void> {
  try {
    await git.run(['fetch', ...common, '--depth=1', '--filter=blob:none', 'origin', ...refspecs]);
  } catch (error) {
    if (!/dumb http|does not support (shallow|filter|--depth)/i.test(String(error))) throw error;
    await git.run(['fetch', ...common, 'origin', ...refspecs]);
  }
}

async function resolveCommit(git: GitRunner, name: string): Promise<string> {
  const commit = (await git.run(['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`])).trim();
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw new Error('Needed a single revision');
  return commit;
}
