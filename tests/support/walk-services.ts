import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { endGroup } from './end-group.ts';
import { findReadmeLine } from './readme-steps.ts';
import { waitUntil } from './wait-until.ts';

export const WALK_URLS = {
  issuer: 'http://127.0.0.1:9400/.well-known/openid-configuration',
  internal: 'http://127.0.0.1:8081/readiness',
  api: 'http://127.0.0.1:8080/openapi.json',
} as const;

/** Whoever listens here may use the addresses of the walks: test files run at the same time, and these are fixed. */
const TURN_PORT = 9401;
const TURN_MS = 600_000;

/** For the `beforeAll` of a walk: another one may have to end before. */
export const WALK_START_MS = TURN_MS + 120_000;

/**
 * Starts what the README starts for its walks, with nothing published yet, when no other test does.
 * @param serve how the line of the README that serves starts
 * @param until what answers when it serves
 * @returns ends both and lets others begin; nothing of what was published is left
 * @throws Error when something else has one of the addresses
 */
export async function startWalkServices(serve: string, until: string): Promise<() => Promise<void>> {
  const ends: (() => Promise<void>)[] = [await waitForTurn()];
  const end = async () => {
    for (const one of ends.reverse()) await one();
  };
  const start = async (command: string, url: string) => {
    const child = spawn('bash', ['-c', `exec ${command}`], { stdio: 'ignore', detached: true });
    const ended = once(child, 'close');
    ends.push(() => endGroup(child, ended));
    await waitUntil(async () => (await fetch(url)).status === 200, `${url} answers`, 50_000);
  };
  try {
    for (const url of Object.values(WALK_URLS)) {
      if (await answers(url))
        throw new Error(`something answers at ${url} already; the walk needs that address`);
    }
    await start(findReadmeLine('npx tsx tests/walk/issuer.ts'), WALK_URLS.issuer);
    await start(findReadmeLine(serve), until);
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

/**
 * Waits until no other test has the addresses of the walks.
 * @returns lets others begin; nothing of what was published is left
 */
export async function waitForTurn(): Promise<() => Promise<void>> {
  const turn = await waitUntil(takeTurn, 'the other walks end', TURN_MS);
  forgetPublished();
  return async () => {
    forgetPublished();
    turn.close();
    await once(turn, 'close');
  };
}

function forgetPublished(): void {
  for (const name of ['walk', 'walk-2', 'walk-3']) rmSync(`.berth/${name}`, { recursive: true, force: true });
}

/** undefined when another one has it. A process that is killed gives it back. */
function takeTurn(): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(TURN_PORT, '127.0.0.1', () => resolve(server));
  });
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
