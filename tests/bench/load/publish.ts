import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Claims } from '../../../sources/model/claims.ts';
import { startProcess } from '../processes/start-process.ts';

const SCRIPT = fileURLToPath(new URL('./publish-run.ts', import.meta.url));
/** Published before anything is counted. */
export const WARM_PUBLISHES = 50;

export interface PublishLoad {
  readonly origin: string;
  readonly token: string;
  readonly claims: Claims;
  /** How many publish at once, each as soon as it was answered. */
  readonly writers: number;
  /** Instead of that: so many in each second, at even distances. */
  readonly perSecond?: number;
  /** `namespace/name` that no other load publishes under. */
  readonly prefix: string;
}

const resultSchema = z.object({
  answered: z.number(),
  perSecond: z.number(),
  /** Anything but 201, and errors of the connection. */
  failed: z.number(),
  /** Milliseconds. */
  p50: z.number(),
  p99: z.number(),
});

export type PublishResult = z.infer<typeof resultSchema>;

/** Publishes from the generator's core while something else happens. */
export async function publishWhile(
  load: PublishLoad,
  happens: () => Promise<unknown>,
): Promise<PublishResult> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-publish-'));
  try {
    const file = join(dir, 'load.json');
    await writeFile(file, JSON.stringify(load));
    const started = startProcess('generator', [process.execPath, '--import', 'tsx', SCRIPT, file]);
    try {
      await started.waitForOutput(/^ready$/m);
      await happens();
    } finally {
      await started.stop();
    }
    const [, result = ''] = await started.waitForOutput(/^RESULT (.+)$/m);
    return resultSchema.parse(JSON.parse(result));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
