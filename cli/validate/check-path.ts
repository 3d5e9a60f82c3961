import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { createFileMemory } from '../../sources/kinds/file-memory.ts';
import { locatePath } from '../../sources/kinds/locate-path.ts';
import { readPath } from '../../sources/kinds/read-path.ts';
import { checkFetched } from './check-fetched.ts';
import { findHostPath, showClickable } from './clickable-path.ts';
import { type Findings, NOTHING_FOUND } from './found-problem.ts';

/**
 * Checks a catalog file, a directory or the matches of a glob without a configuration.
 * @param path as it was given, relative to `cwd`
 */
export async function checkPath(path: string, cwd: string): Promise<Findings> {
  const location = locatePath(path, cwd);
  if (await isConfiguration(location.root)) {
    const message = 'this is a configuration, not a catalog';
    const fix = `Check it with: berth validate --config ${path}`;
    return { ...NOTHING_FOUND, problems: [{ file: path, line: 1, column: 1, message, fix }] };
  }
  return checkFetched(
    () => readPath(location, createFileMemory(), {}),
    { sourceName: namespaceOf(location.root) },
    {
      fileOf: (shown) => showClickable(findHostPath(location, shown), cwd),
      whole: { file: path, line: 1, column: 1 },
    },
  );
}

/** Skills without a namespace get that of their source; here the name of the file or directory stands for it. */
function namespaceOf(root: string): string {
  const name = basename(root)
    .toLowerCase()
    .replace(/\.[a-z]+$/, '')
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name.length < 3 ? 'catalog' : name;
}

async function isConfiguration(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || !/\.ya?ml$/i.test(file) || found.size > 1_000_000) return false;
  const text = await readFile(file, 'utf8');
  return /^sources:/m.test(text) && /^registries:/m.test(text);
}
