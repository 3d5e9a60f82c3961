import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Page, renderPage } from './markdown/page.ts';
import { ROOT } from './root.ts';

/** Where the pages are kept. */
const DIRECTORY = join(ROOT, 'site/src/content/docs/docs/reference');

/** The pages that are not on disk as they should be, and files there that are no page any more; sorted. */
export async function findStale(pages: readonly Page[]): Promise<string[]> {
  const wanted = new Map(pages.map((page) => [page.path, renderPage(page)]));
  const present = await listFiles();
  const known = new Map(
    await Promise.all(
      present.map(async (path) => [path, await readFile(join(DIRECTORY, path), 'utf8')] as const),
    ),
  );
  const stale = [...wanted].filter(([path, text]) => known.get(path) !== text).map(([path]) => path);
  return [...stale, ...present.filter((path) => !wanted.has(path))].sort();
}

/** Writes the pages and removes the files that are none. */
export async function writeReferences(pages: readonly Page[]): Promise<void> {
  const wanted = new Set(pages.map(({ path }) => path));
  for (const path of await listFiles()) if (!wanted.has(path)) await rm(join(DIRECTORY, path));
  for (const page of pages) {
    const file = join(DIRECTORY, page.path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, renderPage(page));
  }
}

async function listFiles(): Promise<string[]> {
  const entries = await readdir(DIRECTORY, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(DIRECTORY.length + 1));
}
