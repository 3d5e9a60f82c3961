import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Place, pinned } from './pinned.ts';

const run = promisify(execFile);

/**
 * Runs one of the measuring scripts beside this file in a process of its own: nothing of the benchmark's memory or
 * compiled code is in what it measures.
 * @param input given to it as a JSON file
 * @returns the JSON it prints
 */
export async function runScript<Output>(place: Place, script: string, input: unknown): Promise<Output> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-script-'));
  try {
    const file = join(dir, 'input.json');
    await writeFile(file, JSON.stringify(input));
    const path = fileURLToPath(new URL(script, import.meta.url));
    const [command, ...args] = pinned(place, [process.execPath, '--import', 'tsx', path, file]);
    const { stdout } = await run(command, args);
    return JSON.parse(stdout);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
