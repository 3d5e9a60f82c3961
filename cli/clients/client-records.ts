import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { UserDirectories } from '../user-directories.ts';
import { hasCode } from '../workloads/has-code.ts';
import { withFileLock } from '../workloads/with-file-lock.ts';
import { makePrivateDirectory } from '../workloads/workload-store.ts';
import { type FileRecord, fileRecordSchema } from './entry-record.ts';

const recordsSchema = z.strictObject({ files: z.record(z.string(), fileRecordSchema) });

/** What Berth put into which file, by its path. */
export type ClientRecords = Map<string, FileRecord>;

/**
 * Lets one process at a time look at what Berth put into files of clients, change them, and note what is there then.
 * What `work` noted before it failed is kept.
 */
export async function withClientRecords<T>(
  { state }: Pick<UserDirectories, 'state'>,
  work: (records: ClientRecords) => Promise<T>,
): Promise<T> {
  const file = join(state, 'client-entries.json');
  await makePrivateDirectory(state);
  return withFileLock(file, async () => {
    const before = await readRecords(file);
    const records: ClientRecords = new Map(Object.entries(before));
    try {
      return await work(records);
    } finally {
      const after = JSON.stringify({ files: Object.fromEntries(records) }, null, 2);
      if (after !== JSON.stringify({ files: before }, null, 2)) {
        await writeFileAtomic(file, `${after}\n`, { mode: 0o600 });
      }
    }
  });
}

/** A record that cannot be read is as none: entries are then taken for those of the user and stay. */
async function readRecords(file: string): Promise<Record<string, FileRecord>> {
  try {
    return recordsSchema.parse(JSON.parse(await readFile(file, 'utf8'))).files;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || hasCode(error, 'ENOENT')) return {};
    throw error;
  }
}
