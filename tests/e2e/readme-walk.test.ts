import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';

const README = readFileSync('README.md', 'utf8');
const WALK = README.slice(README.indexOf('<!-- walk:begin -->'), README.indexOf('<!-- walk:end -->'));
const ISSUER = 'http://127.0.0.1:9400/.well-known/openid-configuration';
const INTERNAL = 'http://127.0.0.1:8081/readiness';
const API = 'http://127.0.0.1:8080/openapi.json';
/** What was told to one replica is shown by the others within a second; a source that was changed is compiled first. */
const PATIENCE_MS = 3000;

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

const FUNCTIONS = ['token() {', 'ask() {', 'tell() {', 'names() {', 'earlier() {']
  .map((start) => `${findLine(start)}\n`)
  .join('');

function run(command: string): string {
  return spawnSync('bash', ['-c', FUNCTIONS + command], { encoding: 'utf8', timeout: 20_000 }).stdout.trim();
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

/** Ends a command with all it started, and waits until nothing of it is left. */
async function endGroup({ pid, exitCode }: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (pid === undefined || exitCode !== null) return;
  const signal = (name: NodeJS.Signals | 0) => {
    try {
      return process.kill(-pid, name);
    } catch {
      return false;
    }
  };
  signal('SIGTERM');
  await ended;
  await waitUntil(() => !signal(0), `nothing left of process group ${pid}`, 20_000).catch((error) => {
    signal('SIGKILL');
    throw error;
  });
}

describe.each([
  { on: 'one process, on SQLite', command: 'npx berth serve --config tests/walk', until: INTERNAL },
  { on: 'three replicas, on PostgreSQL', command: 'npx tsx tests/walk/replicas.ts', until: API },
])('the walk of the README on $on', ({ command: serve, until }) => {
  const started: (() => Promise<void>)[] = [];

  const start = async (command: string, url: string) => {
    const child = spawn('bash', ['-c', `exec ${command}`], { stdio: 'ignore', detached: true });
    const ended = once(child, 'close');
    started.push(() => endGroup(child, ended));
    await waitUntil(async () => (await fetch(url)).status === 200, `${url} answers`, 50_000);
  };

  beforeAll(async () => {
    for (const url of [ISSUER, INTERNAL, API]) {
      if (await answers(url))
        throw new Error(`something answers at ${url} already; the walk needs that address`);
    }
    for (const name of ['walk', 'walk-2', 'walk-3'])
      rmSync(`.berth/${name}`, { recursive: true, force: true });
    await start(findLine('npx tsx tests/walk/issuer.ts'), ISSUER);
    await start(findLine(serve), until);
  }, 120_000);

  afterAll(async () => {
    for (const end of started.reverse()) await end();
  });

  it.each(listSteps())('$command', async ({ command, output }) => {
    let said = run(command);
    // Only asking for what must appear is repeated: a change is answered once, and what is hidden is never seen.
    const isAsking = command.startsWith('ask ') && !/^40\d /.test(output);
    for (
      const end = performance.now() + PATIENCE_MS;
      isAsking && said !== output && performance.now() < end;
    )
      said = run(command);
    expect(said).toBe(output);
  });
});
