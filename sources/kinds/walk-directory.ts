import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { explainFileError, readErrorCode } from './file-errors.ts';
import { isSafeInnerPath, isSkippedDirectory } from './select-catalog-files.ts';
import { checkFileCount } from './source-bounds.ts';

/**
 * Lists the regular files below a directory, without hidden directories and installed packages. A symbolic link is
 * followed only when what it leads to lies below the same directory.
 *
 * @param root absolute path
 * @param shown what people are shown for `root`
 * @returns paths relative to `root`, `/`-separated, in no particular order
 * @throws BerthError `source_not_found`, `source_unreadable`, `source_too_large`
 */
export async function walkDirectory(root: string, shown: string, signal?: AbortSignal): Promise<string[]> {
  const realRoot = await realpath(root).catch((error: unknown) => {
    throw explainFileError(error, shown);
  });
  const files: string[] = [];
  const seen = new Set<string>([realRoot]);
  const pending: string[] = [''];

  const visit = async (inner: string, entry: Dirent): Promise<void> => {
    const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
    if (!isSafeInnerPath(path)) return;
    if (entry.isFile()) files.push(path);
    else if (entry.isDirectory() && !isSkippedDirectory(entry.name)) pending.push(path);
    else if (entry.isSymbolicLink()) {
      const target = await followLink(join(root, path), realRoot);
      if (target?.kind === 'file') files.push(path);
      // A directory is entered once, so that links cannot form a circle.
      else if (target?.kind === 'directory' && !isSkippedDirectory(entry.name) && !seen.has(target.real)) {
        seen.add(target.real);
        pending.push(path);
      }
    }
  };

  for (let inner = pending.pop(); inner !== undefined; inner = pending.pop()) {
    signal?.throwIfAborted();
    for (const entry of await listDirectory(root, inner, shown)) await visit(inner, entry);
    checkFileCount(files.length, shown);
  }
  return files;
}

async function listDirectory(root: string, inner: string, shown: string): Promise<Dirent[]> {
  try {
    return await readdir(join(root, inner), { withFileTypes: true });
  } catch (error) {
    if (inner !== '' && readErrorCode(error) === 'ENOENT') return [];
    throw explainFileError(error, inner === '' ? shown : `${shown}/${inner}`);
  }
}

async function followLink(
  path: string,
  realRoot: string,
): Promise<{ kind: 'file' | 'directory'; real: string } | undefined> {
  try {
    const real = await realpath(path);
    if (real !== realRoot && !real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep))
      return undefined;
    const found = await stat(real);
    if (found.isFile()) return { kind: 'file', real };
    return found.isDirectory() ? { kind: 'directory', real } : undefined;
  } catch (error) {
    const code = readErrorCode(error);
    if (code === 'ENOENT' || code === 'ELOOP') return undefined;
    throw error;
  }
}
