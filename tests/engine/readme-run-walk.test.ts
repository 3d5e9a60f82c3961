import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCommand } from '../support/built-command.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { CA_BUNDLE, ensureTestImages, openTestEngine, TEST_IMAGES } from '../support/engine-images.ts';
import { provideNodeImage } from '../support/provide-node-image.ts';
import { listReadmeSteps, runReadmeCommand } from '../support/readme-steps.ts';
import { startWalkServices, WALK_START_MS, WALK_URLS } from '../support/walk-services.ts';

/** The first command builds an image. */
const STEP_MS = 360_000;

const home = mkdtempSync(join(tmpdir(), 'berth-walk-'));
const env = childEnvironment({
  BERTH_GATEWAY_IMAGE: TEST_IMAGES.gateway,
  BERTH_SECRETS_PASSWORD: 'walk',
  HOME: home,
  // What npm says of its own does not belong to the commands.
  npm_config_loglevel: 'error',
  ...Object.fromEntries(
    ['CONFIG', 'STATE', 'DATA', 'CACHE'].map((name) => [`XDG_${name}_HOME`, join(home, name.toLowerCase())]),
  ),
});
const run = (command: string) => runReadmeCommand(command, { env, showsErrors: true, timeout: STEP_MS });

describe('the walk of the README through berth run', () => {
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    ends.push(async () => rmSync(home, { recursive: true, force: true }));
    for (const name of ['CONFIG', 'STATE', 'DATA', 'CACHE']) mkdirSync(join(home, name.toLowerCase()));
    findCommand();
    const engine = await openTestEngine();
    await ensureTestImages(engine, ['node', 'gateway']);
    ends.push(await startWalkServices('npx berth serve --config tests/walk', WALK_URLS.internal));
    ends.push(await provideNodeImage(engine));
    ends.push(async () => {
      run('npx berth rm --all; npx berth prune');
    });
    if (existsSync(CA_BUNDLE)) run(`npx berth config set ca-cert ${CA_BUNDLE}`);
  }, WALK_START_MS);

  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  }, STEP_MS);

  it.each(listReadmeSteps('run'))('$command', { timeout: STEP_MS }, ({ command, output }) => {
    expect(run(command)).toBe(output);
  });
});
