import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { BerthError, messageOf } from '../../sources/errors.ts';

export interface CheckedOut {
  /** Where the files of the revision are. */
  readonly root: string;
  /** The configuration in there. */
  readonly configFile: string;
  /** The directory of the configuration in the work tree. */
  readonly originalDir: string;
}

const run = promisify(execFile);

/**
 * Lays the files of a git revision out in a directory of its own. Work tree and index of the repository stay as they
 * are.
 * @param configFile as in the work tree; relative to the working directory
 * @throws BerthError `diff_side_unknown`, `diff_revision_failed`, `config_not_found`
 */
export async function checkOutRevision(
  revision: string,
  configFile: string,
  scratch: string,
): Promise<CheckedOut> {
  const originalDir = dirname(resolve(configFile));
  const commit = await resolveRevision(revision, originalDir);
  const own = await mkdtemp(join(scratch, 'revision-'));
  const root = join(own, 'tree');
  await mkdir(root);
  const env = { ...process.env, GIT_INDEX_FILE: join(own, 'index') };
  const git = async (directory: string, ...words: string[]) => {
    const { stdout } = await run('git', ['-C', directory, ...words], { env, maxBuffer: 16_000_000 });
    return stdout.trim();
  };
  try {
    const top = await git(originalDir, 'rev-parse', '--show-toplevel');
    await git(top, 'read-tree', commit);
    await git(top, 'checkout-index', '--all', '--force', `--prefix=${root}/`);
    const inside = relative(await realpath(top), join(await realpath(originalDir), basename(configFile)));
    const found = join(root, inside);
    if (!(await stat(found).catch(() => undefined))?.isFile()) {
      throw new BerthError('config_not_found', `The revision ${revision} has no ${inside}.`, {
        fix: 'Name the configuration of that revision with --config.',
      });
    }
    return { root, configFile: found, originalDir };
  } catch (error) {
    if (error instanceof BerthError) throw error;
    throw new BerthError(
      'diff_revision_failed',
      `The revision ${revision} cannot be read: ${explain(error)}.`,
      {
        cause: error,
      },
    );
  }
}

async function resolveRevision(revision: string, directory: string): Promise<string> {
  try {
    const words = [
      '-C',
      directory,
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${revision}^{commit}`,
    ];
    return (await run('git', words)).stdout.trim();
  } catch (cause) {
    throw new BerthError(
      'diff_side_unknown',
      `"${revision}" is no file, no directory and no git revision of the repository here.`,
      { fix: 'Name two directories of bundles, two configuration files or two revisions.', cause },
    );
  }
}

function explain(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : messageOf(error);
  return text.trim().split('\n').at(-1) ?? '';
}
