import { spawnSync } from 'node:child_process';
import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LOCK = join(ROOT, 'node_modules', '.berth-build-lock');
const LOCK_AGE_MS = 60_000;

let command: string | undefined;

/**
 * The script of the built command, built anew when a source file is newer. `BERTH_E2E_COMMAND` names another one, such
 * as an installed package.
 */
export function findCommand(): string {
  command ??= process.env.BERTH_E2E_COMMAND ?? buildCommand();
  return command;
}

/** One test file builds at a time; the others find the result fresh. */
function buildCommand(): string {
  lock();
  try {
    const built = spawnSync(process.execPath, ['build.config.mjs', '--if-stale'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    if (built.status !== 0) throw new Error(`The command could not be built:\n${built.stderr}`);
  } finally {
    rmdirSync(LOCK);
  }
  return join(ROOT, 'dist', 'berth.js');
}

function lock(): void {
  for (;;) {
    try {
      mkdirSync(LOCK);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const age = Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > LOCK_AGE_MS) rmdirSync(LOCK);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
}
