import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import ignore from 'ignore';
import { BerthError, messageOf } from '../../sources/errors.ts';

/** How much of a tree is looked at before the mount is refused as too large, and how much may be covered. */
const MAX_ENTRIES = 300_000;
const MAX_IGNORED = 2_000;

/** Something below a mounted directory that the patterns hide. */
export interface Ignored {
  readonly kind: 'file' | 'directory';
  /** Absolute path on the host. */
  readonly path: string;
}

export interface IgnoredTree {
  readonly ignored: readonly Ignored[];
  /** Patterns that hide nothing now. */
  readonly idle: readonly string[];
}

/**
 * Finds what patterns in the syntax of gitignore hide below a directory. A directory that is hidden is one entry,
 * whatever is in it. Symbolic links are not followed; one that is hidden hides what it leads to, when that is inside.
 *
 * @throws BerthError `ignore_unreadable`, `ignore_too_large`
 */
export async function findIgnored(root: string, patterns: readonly string[]): Promise<IgnoredTree> {
  const options = { ignorecase: process.platform === 'darwin' || process.platform === 'win32' };
  const all = ignore(options).add([...patterns]);
  const idle = new Map(
    patterns
      .filter((pattern) => !pattern.startsWith('!'))
      .map((pattern) => [pattern, ignore(options).add(pattern)]),
  );
  const found = new Map<string, Ignored>();
  let seen = 0;
  const pending = [root];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const entry of await list(directory)) {
      if (++seen > MAX_ENTRIES) throw tooLarge(root, `holds more than ${MAX_ENTRIES} files`);
      const path = join(directory, entry.name);
      const isDirectory = entry.isDirectory();
      const name = relative(root, path).split(sep).join('/') + (isDirectory ? '/' : '');
      for (const [pattern, matcher] of idle) if (matcher.ignores(name)) idle.delete(pattern);
      if (!all.ignores(name)) {
        if (isDirectory) pending.push(path);
        continue;
      }
      const hidden = entry.isSymbolicLink() ? await followInside(root, path) : path;
      if (hidden === undefined) continue;
      const kind = hidden === path ? (isDirectory ? 'directory' : 'file') : await kindOf(hidden);
      found.set(hidden, { kind, path: hidden });
      if (found.size > MAX_IGNORED) throw tooLarge(root, `has more than ${MAX_IGNORED} ignored files`);
    }
  }
  return { ignored: withoutCovered([...found.values()]), idle: [...idle.keys()] };
}

async function list(directory: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (cause) {
    throw new BerthError(
      'ignore_unreadable',
      `What is to be hidden in a mount cannot be found out: ${messageOf(cause)}`,
      { at: { file: directory }, fix: 'Make the directory readable, or ignore it as a whole.', cause },
    );
  }
}

/** Where a link leads, when that is below the root; in the container everything else is out of reach. */
async function followInside(root: string, link: string): Promise<string | undefined> {
  try {
    const [base, target] = await Promise.all([realpath(root), realpath(link)]);
    const inside = relative(base, target);
    if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`)) return undefined;
    return join(root, inside);
  } catch {
    // It leads nowhere.
    return undefined;
  }
}

async function kindOf(path: string): Promise<'file' | 'directory'> {
  return (await stat(path)).isDirectory() ? 'directory' : 'file';
}

/** A link may lead into a directory that is hidden anyway. */
function withoutCovered(found: readonly Ignored[]): readonly Ignored[] {
  const directories = found.filter(({ kind }) => kind === 'directory').map(({ path }) => `${path}${sep}`);
  return found.filter(({ path }) => !directories.some((directory) => path.startsWith(directory)));
}

function tooLarge(root: string, why: string): BerthError {
  return new BerthError(
    'ignore_too_large',
    `The mounted directory ${why}, too many to apply ignore patterns to.`,
    {
      at: { file: root },
      fix: 'Mount a smaller directory, or ignore whole directories.',
    },
  );
}
