import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Page } from '../../../site/references/markdown/page.ts';
import { findStale, writeReferences } from '../../../site/references/reference-files.ts';
import { ROOT } from '../../../site/references/root.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';

const run = promisify(execFile);

// A process of its own, as it is run by hand: it loads every command, which is slow where modules are watched.
it('finds no reference that is older than the code; npx tsx site/references/generate.ts writes them anew', async () => {
  const words = ['--import', 'tsx', 'site/references/generate.ts', '--check'];
  const { stderr } = await run(process.execPath, words, { cwd: ROOT }).catch((error: unknown) => {
    if (error instanceof Error && 'stderr' in error) return { stderr: String(error.stderr) };
    throw error;
  });
  expect(stderr).toBe('');
}, 180_000);

it('writes pages, and tells which are stale, missing or none any more', async () => {
  const directory = makeDirectory();
  const page = (path: string): Page => ({ path, title: 'T', description: 'D', order: 1, blocks: ['Text.'] });
  const pages = [page('a.md'), page('deep/b.md'), page('deep/c.md')];
  expect(await findStale(pages, directory)).toEqual(['a.md', 'deep/b.md', 'deep/c.md']);
  await writeReferences(pages, directory);
  expect(await findStale(pages, directory)).toEqual([]);

  await writeFile(join(directory, 'a.md'), 'edited by hand');
  await rm(join(directory, 'deep/b.md'));
  await writeFile(join(directory, 'deep/old.md'), 'from before');
  expect(await findStale(pages, directory)).toEqual(['a.md', 'deep/b.md', 'deep/old.md']);
  await writeReferences(pages, directory);
  expect(await findStale(pages, directory)).toEqual([]);
  expect(await readFile(join(directory, 'a.md'), 'utf8')).toMatch(
    /^---\ntitle: "T"\ndescription: "D"\nsidebar:\n {2}order: 1\n/,
  );
});
