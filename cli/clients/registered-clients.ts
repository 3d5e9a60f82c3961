import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { BerthError, messageOf } from '../../sources/errors.ts';
import type { UserDirectories } from '../user-directories.ts';
import { hasCode } from '../workloads/has-code.ts';
import { withFileLock } from '../workloads/with-file-lock.ts';
import { makePrivateDirectory } from '../workloads/workload-store.ts';

const registeredSchema = z.strictObject({
  clients: z.array(z.strictObject({ name: z.string(), groups: z.array(z.string()).min(1) })),
});
export type RegisteredClient = z.infer<typeof registeredSchema>['clients'][number];

/**
 * The AI clients that get workloads, and of which groups.
 * @throws BerthError `clients_corrupt`
 */
export async function readRegistered({
  config,
}: Pick<UserDirectories, 'config'>): Promise<RegisteredClient[]> {
  const file = fileOf(config);
  try {
    return registeredSchema.parse(JSON.parse(await readFile(file, 'utf8'))).clients;
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return [];
    throw new BerthError('clients_corrupt', `The registered clients cannot be read (${messageOf(cause)}).`, {
      at: { file },
      fix: 'Repair the file or remove it.',
      cause,
    });
  }
}

/** Changes what is registered; one process at a time. */
export async function changeRegistered(
  { config }: Pick<UserDirectories, 'config'>,
  change: (clients: readonly RegisteredClient[]) => readonly RegisteredClient[],
): Promise<void> {
  const file = fileOf(config);
  await makePrivateDirectory(config);
  await withFileLock(file, async () => {
    const clients = change(await readRegistered({ config }));
    await writeFileAtomic(file, `${JSON.stringify({ clients }, null, 2)}\n`, { mode: 0o600 });
  });
}

function fileOf(config: string): string {
  return join(config, 'clients.json');
}
