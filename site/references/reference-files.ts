import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Page, renderPage } from './markdown/page.ts';
import { ROOT } from './root.ts';

/** Where the pages are kept. */
export const REFERENCE_DIRECTORY = join(ROOT, 'site/src/content/docs/docs/reference');

/** The pages that are not in a directory as they should be, and files there that are no page any more; sorted. */
export async function findStale(pages: readonly Page[], directory: string): Promise<string[]> {
  const wanted = new Map(pages.map((page) => [page.path, renderPage(page)]));
  const present = await listFiles(directory);
  const known = new Map(
    await Promise.all(
      present.map(async (path) => [path, await readFile(join(directory, path), 'utf8')] as const),
    ),
  );
  const stale = [...wanted].filter(([path, text]) => known.get(path) !== text).map(([path]) => path);
  return [...stale, ...present.filter((path) => !wanted.has(path))].sort();
}

/** Writes the pages into a directory and removes the files there that are none. */
export async function writeReferences(pages: readonly Page[], directory: string): Promise<void> {
  const wanted = new Set(pages.map(({ path }) => path));
  for (const path of await listFiles(directory)) if (!wanted.has(path)) await rm(join(directory, path));
  for (const page of pages) {
    const file = join(directory, page.path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, renderPage(page));
  }
}

async function listFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}
