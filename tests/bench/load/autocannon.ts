import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pinned } from '../processes/pinned.ts';
import { type GenerateLoad, loadResultSchema } from './load.ts';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('./autocannon-run.ts', import.meta.url));

/** autocannon in a process on the generator's core: where wrk is not installed. */
export const generateWithAutocannon: GenerateLoad = async (load) => {
  const dir = await mkdtemp(join(tmpdir(), 'bench-load-'));
  try {
    const file = join(dir, 'load.json');
    await writeFile(file, JSON.stringify(load));
    const [command, ...args] = pinned('generator', [process.execPath, '--import', 'tsx', SCRIPT, file]);
    const { stdout } = await run(command, args);
    return loadResultSchema.parse(JSON.parse(stdout));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};
