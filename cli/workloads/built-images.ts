import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { hasCode } from './has-code.ts';
import { withFileLock } from './with-file-lock.ts';
import type { WorkloadPaths } from './workload-paths.ts';
import { makePrivateDirectory } from './workload-store.ts';

const imagesSchema = z.array(z.string());

/** Ids of the images that were built for this user: `prune` must not take those of another user of the same engine. */
export async function listBuiltImages({ images }: Pick<WorkloadPaths, 'images'>): Promise<readonly string[]> {
  try {
    return imagesSchema.parse(JSON.parse(await readFile(images, 'utf8')));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** @param change answers the new list */
export async function changeBuiltImages(
  paths: Pick<WorkloadPaths, 'images'>,
  change: (ids: readonly string[]) => readonly string[],
): Promise<void> {
  const { default: writeFileAtomic } = await import('write-file-atomic');
  await makePrivateDirectory(dirname(paths.images));
  await withFileLock(paths.images, async () => {
    const before = await listBuiltImages(paths);
    const after = [...new Set(change(before))];
    await writeFileAtomic(paths.images, `${JSON.stringify(after)}\n`, { mode: 0o600 });
  });
}
