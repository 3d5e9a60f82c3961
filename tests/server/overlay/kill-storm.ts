import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, onTestFinished } from 'vitest';
import type { StoredEntry } from '../../../server/overlay/overlay-store.ts';
import { ROOT } from '../../support/built-command.ts';

const MOST_ANSWERS = 80;

export interface KillStorm {
  /** Publishes until it is killed and says each answer as a line; relative to this file. */
  readonly script: string;
  /** The arguments of the script before the number of the round. */
  readonly args: readonly string[];
  readonly rounds: number;
  /** What the store holds, read by somebody else after the kill. */
  readonly readAll: () => Promise<readonly StoredEntry[]>;
}

/**
 * Kills a process that publishes with 16 writers, at another moment in each round, and looks after each kill: whatever
 * was answered is there, and whatever is there is whole.
 * @returns how many publishes were answered and how many are kept
 */
export async function runKillStorm({
  script,
  args,
  rounds,
  readAll,
}: KillStorm): Promise<{ answered: number; kept: number }> {
  const code = await bundleScript(script);
  const answered: string[] = [];
  let kept = 0;
  for (let round = 1; round <= rounds; round++) {
    const after = 1 + Math.floor(Math.random() * MOST_ANSWERS);
    answered.push(...(await stormAndKill(code, [...args, String(round)], after)));
    const entries = await readAll();
    kept = entries.length;
    const names = new Set(entries.map(({ name }) => name));
    const when = `round ${round}, killed after ${after} answers`;
    expect(
      answered.filter((name) => !names.has(name)),
      when,
    ).toEqual([]);
    expect(
      entries.filter((entry) => !isWhole(entry)).map(({ name }) => name),
      when,
    ).toEqual([]);
  }
  return { answered: answered.length, kept };
}

/** One file of JavaScript: a process that has nothing to compile starts several times as fast. */
async function bundleScript(script: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [fileURLToPath(new URL(script, import.meta.url))],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`${script} could not be bundled`);
  return file.text;
}

async function stormAndKill(code: string, args: readonly string[], after: number): Promise<string[]> {
  const child = spawn(process.execPath, ['--input-type=module', '-', ...args], { cwd: ROOT });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  child.stdin.end(code);
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (lines.length === after) child.kill('SIGKILL');
  }
  await exited;
  expect([child.signalCode, errors]).toEqual(['SIGKILL', '']);
  return lines;
}

/** As the storms publish them. */
function isWhole({ name, claims, versions }: StoredEntry): boolean {
  const [only, ...others] = versions;
  if (!only || others.length > 0 || claims.org !== 'acme') return false;
  const body = JSON.parse(only.body);
  return only.version === '1.0.0' && body.name === name && body.description === 'x'.repeat(2000);
}
