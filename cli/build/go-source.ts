import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { BerthError } from '../../sources/errors.ts';
import type { ContextFile } from './build-plan.ts';
import { readTree } from './read-tree.ts';

/**
 * Reads what a local Go package builds from: its module, the modules that its `replace` directives and a workspace
 * around it take from the disk, and nothing else. Writes nothing.
 *
 * @param path absolute directory of the package
 * @returns files by their place in the context, and the directory of the package in it
 * @throws BerthError `go_path_invalid` when the directory is missing or in no module
 */
export async function readGoSource(
  path: string,
): Promise<{ readonly files: readonly ContextFile[]; readonly directory: string }> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) {
    throw new BerthError('go_path_invalid', 'There is no such directory to build from.', {
      at: { file: path },
    });
  }
  const module = findAbove(path, 'go.mod');
  if (module === undefined) {
    throw new BerthError('go_path_invalid', 'The directory is in no Go module.', {
      at: { file: path },
      fix: 'Make one with `go mod init` there or above.',
    });
  }
  const workspace = findAbove(module, 'go.work');
  const modules = await collectModules([
    module,
    ...(workspace === undefined ? [] : await readPaths(join(workspace, 'go.work'), workspace)),
  ]);
  const root = commonAncestor(workspace === undefined ? modules : [workspace, ...modules]);
  const files: ContextFile[] = [];
  for (const directory of withoutNested(modules)) {
    const place = toSlashes(relative(root, directory));
    for (const file of await readTree(directory)) {
      files.push({ ...file, path: place === '' ? file.path : `${place}/${file.path}` });
    }
  }
  if (workspace !== undefined) files.push(...(await readWorkspaceFiles(root, workspace, files)));
  return { files, directory: toSlashes(relative(root, path)) };
}

async function readWorkspaceFiles(
  root: string,
  workspace: string,
  known: readonly ContextFile[],
): Promise<readonly ContextFile[]> {
  const files: ContextFile[] = [];
  for (const name of ['go.work', 'go.work.sum']) {
    const path = toSlashes(relative(root, join(workspace, name)));
    if (!existsSync(join(workspace, name)) || known.some((file) => file.path === path)) continue;
    files.push({ path, content: await readFile(join(workspace, name)), kind: 'file' });
  }
  return files;
}

/** The modules, and those they replace others with, from the disk. */
async function collectModules(start: readonly string[]): Promise<readonly string[]> {
  const all = new Set<string>();
  const open = [...start];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (all.has(next) || !existsSync(join(next, 'go.mod'))) continue;
    all.add(next);
    open.push(...(await readPaths(join(next, 'go.mod'), next)));
  }
  return [...all];
}

/** Directories a go.mod replaces modules with, or a go.work uses: words that start with `./` or `../`, and `.`. */
async function readPaths(file: string, from: string): Promise<readonly string[]> {
  const text = (await readFile(file, 'utf8')).replace(/\/\/.*$/gm, '');
  const words = text.match(/(?<=^|[\s"])\.{1,2}(?:\/[^\s"]*)?(?=$|[\s")])/gm) ?? [];
  return words.map((word) => resolve(from, word));
}

function findAbove(path: string, name: string): string | undefined {
  for (let directory = path; ; directory = dirname(directory)) {
    if (existsSync(join(directory, name))) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

function withoutNested(directories: readonly string[]): readonly string[] {
  return directories.filter(
    (one) => !directories.some((other) => other !== one && one.startsWith(`${other}${sep}`)),
  );
}

function commonAncestor(paths: readonly string[]): string {
  const [first = sep, ...others] = paths;
  let common = first;
  for (const path of others) {
    while (path !== common && !path.startsWith(common.endsWith(sep) ? common : `${common}${sep}`)) {
      common = dirname(common);
    }
  }
  return common;
}

function toSlashes(path: string): string {
  return path.split(sep).join('/');
}
