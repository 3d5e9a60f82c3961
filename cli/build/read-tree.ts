import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import dockerignore, { type Ignore as DockerIgnore } from '@balena/dockerignore';
import ignore, { type Ignore } from 'ignore';
import type { ContextFile } from './build-plan.ts';

interface Rules {
  /** The directory of the `.gitignore` when it is in the root or below, relative to it, empty or ending in `/`. */
  readonly base: string;
  /** The way down from a `.gitignore` above the root, empty or ending in `/`. */
  readonly above: string;
  readonly rules: Ignore;
}

/**
 * Reads a directory as a build context: all but `.git` and what `.gitignore` (of every directory, and of those
 * above up to that of the repository) and `.dockerignore`
 * (of the root) leave out. Links out of the directory are left out too.
 *
 * @param root absolute
 * @returns files sorted by path
 */
export async function readTree(root: string): Promise<readonly ContextFile[]> {
  const real = await realpath(root);
  const dockerIgnore = dockerignore.default();
  dockerIgnore.add((await readText(join(real, '.dockerignore'))) ?? '');
  const files: ContextFile[] = [];
  await walk(real, '', await readRulesAbove(real), dockerIgnore, files);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function walk(
  root: string,
  base: string,
  outer: readonly Rules[],
  dockerIgnore: DockerIgnore,
  files: ContextFile[],
): Promise<void> {
  const own = await readText(join(root, base, '.gitignore'));
  const gitIgnores = own === undefined ? outer : [...outer, { base, above: '', rules: ignore().add(own) }];
  for (const entry of await readdir(join(root, base), { withFileTypes: true })) {
    if (entry.name === '.git') continue;
    const path = `${base}${entry.name}`;
    if (isIgnored(path, entry.isDirectory(), gitIgnores)) continue;
    if (entry.isDirectory()) {
      // What is below may be taken in again, so `.dockerignore` is asked file by file.
      await walk(root, `${path}/`, gitIgnores, dockerIgnore, files);
    } else if (!dockerIgnore.ignores(path)) {
      const file = await readEntry(root, path);
      if (file) files.push(file);
    }
  }
}

/** The innermost `.gitignore` that has something to say decides. */
function isIgnored(path: string, isDirectory: boolean, gitIgnores: readonly Rules[]): boolean {
  for (const { base, above, rules } of gitIgnores.toReversed()) {
    const verdict = rules.test(`${above}${path.slice(base.length)}${isDirectory ? '/' : ''}`);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

async function readEntry(root: string, path: string): Promise<ContextFile | undefined> {
  const file = join(root, path);
  const found = await lstat(file);
  if (found.isSymbolicLink()) {
    const target = await realpath(file).catch(() => undefined);
    if (!target?.startsWith(`${root}${sep}`)) return undefined;
    return { path, content: Buffer.from(toSlashes(relative(dirname(file), target))), kind: 'link' };
  }
  if (!found.isFile()) return undefined;
  return { path, content: await readFile(file), kind: found.mode & 0o111 ? 'executable' : 'file' };
}

/** Outermost first. */
async function readRulesAbove(root: string): Promise<readonly Rules[]> {
  const found: Rules[] = [];
  let above = '';
  for (let directory = root; !existsSync(join(directory, '.git')); directory = dirname(directory)) {
    // Without a repository around it, what lies above is none of its business.
    if (dirname(directory) === directory) return [];
    above = `${basename(directory)}/${above}`;
    const text = await readText(join(dirname(directory), '.gitignore'));
    if (text !== undefined) found.unshift({ base: '', above, rules: ignore().add(text) });
  }
  return found;
}

function toSlashes(path: string): string {
  return path.split(sep).join('/');
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
