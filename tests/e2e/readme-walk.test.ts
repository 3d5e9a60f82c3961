import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listReadmeSteps, runReadmeCommand } from '../support/readme-steps.ts';
import { startWalkServices, WALK_START_MS, WALK_URLS } from '../support/walk-services.ts';

/** What was told to one replica is shown by the others within a second; a source that was changed is compiled first. */
const PATIENCE_MS = 3000;

describe.each([
  { on: 'one process, on SQLite', serve: 'npx berth serve --config tests/walk', until: WALK_URLS.internal },
  { on: 'three replicas, on PostgreSQL', serve: 'npx tsx tests/walk/replicas.ts', until: WALK_URLS.api },
])('the walk of the README on $on', ({ serve, until }) => {
  let end = async () => {};

  beforeAll(async () => {
    end = await startWalkServices(serve, until);
  }, WALK_START_MS);

  afterAll(() => end());

  it.each(listReadmeSteps('walk'))('$command', async ({ command, output }) => {
    let said = runReadmeCommand(command);
    // Only asking for what must appear is repeated: a change is answered once, and what is hidden is never seen.
    const isAsking = command.startsWith('ask ') && !/^40\d /.test(output);
    for (
      const last = performance.now() + PATIENCE_MS;
      isAsking && said !== output && performance.now() < last;
    )
      said = runReadmeCommand(command);
    expect(said).toBe(output);
  });
});
