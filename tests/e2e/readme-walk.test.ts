import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';

const README = readFileSync('README.md', 'utf8');
const WALK = README.slice(README.indexOf('<!-- walk:begin -->'), README.indexOf('<!-- walk:end -->'));

/** The commands of the README that start something, and the functions it defines. */
function findLine(start: string): string {
  const line = README.split('\n').find((candidate) => candidate.startsWith(start));
  if (line === undefined) throw new Error(`the README has no line that starts with ${start}`);
  return line;
}

/** `$ command` lines of the walk with the output that stands below each. */
function listSteps(): { command: string; output: string }[] {
  const blocks = Array.from(WALK.matchAll(/```\n([\s\S]*?)```/g), ([, block]) => block ?? '');
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...output] = step.trimEnd().split('\n');
        return { command, output: output.join('\n') };
      }),
  );
}

describe('the walk of the README', () => {
  const started: ChildProcess[] = [];

  const start = async (command: string, url: string) => {
    const taken = await fetch(url).then(
      () => true,
      () => false,
    );
    if (taken) throw new Error(`something answers at ${url} already; the walk needs that address`);
    started.push(spawn('bash', ['-c', `exec ${command}`], { stdio: 'ignore', detached: true }));
    await waitUntil(async () => (await fetch(url)).status === 200, `${url} answers`, 30_000);
  };

  beforeAll(async () => {
    rmSync('.berth/walk', { recursive: true, force: true });
    await start(
      findLine('npx tsx tests/walk/issuer.ts'),
      'http://127.0.0.1:9400/.well-known/openid-configuration',
    );
    await start(findLine('npx berth serve --config tests/walk'), 'http://127.0.0.1:8081/readiness');
  });

  afterAll(() => {
    for (const { pid } of started) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  });

  const functions = ['token() {', 'ask() {', 'tell() {', 'names() {']
    .map((start) => `${findLine(start)}\n`)
    .join('');

  it.each(listSteps())('$command', ({ command, output }) => {
    const { stdout } = spawnSync('bash', ['-c', functions + command], { encoding: 'utf8', timeout: 20_000 });
    expect(stdout.trim()).toBe(output);
  });
});
