import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { configSchema } from '../../../sources/config/schema.ts';
import { findCommand, ROOT } from '../../support/built-command.ts';
import { showsOutput } from '../../support/guide-output.ts';
import { WALK_START_MS, waitForTurn } from '../../support/walk-services.ts';
import { type GuideStep, listSteps } from './list-steps.ts';
import { listStandIns, NOT_RUN } from './not-run.ts';
import { readGuides } from './read-guide.ts';
import type { Reader } from './reader.ts';
import { findAfterwards, prepareReader } from './scenarios.ts';

/** A change is live within a second; the machine may be busy. */
const PATIENCE_MS = 8000;
/** Asks and changes nothing, so it may be asked again until the change is live. */
const ASKS = /^(?:ask|names|curl -s|grep|berth (?:bundles|entries) list)\b(?!.*(?: -X| -d| --data))/;

/** Followed where the guides about running servers are. */
const ELSEWHERE = ['architecture.md', 'troubleshooting.md'];
const guides = readGuides(['.', 'start', 'registry']).filter(({ page }) => !ELSEWHERE.includes(page));
const standIns = listStandIns(ROOT, dirname(findCommand()));

function isNotRun(page: string, command: string): boolean {
  return NOT_RUN.some((one) => one.page === page && command.startsWith(one.starts));
}

async function follow(reader: Reader, page: string, step: GuideStep): Promise<void> {
  if (step.does === 'write') {
    reader.write(step.file, step.text);
    return;
  }
  if (step.does === 'read') {
    if (step.language === 'json') JSON.parse(step.text);
    if (step.language === 'yaml') checkExcerpt(step.text);
    return;
  }
  const syntax = spawnSync('bash', ['-n'], { input: step.command, encoding: 'utf8' });
  expect(syntax.stderr, step.command).toBe('');
  if (isNotRun(page, step.command)) return;
  if (step.does === 'start') {
    await reader.start(step.command);
    return;
  }
  const instead = standIns.find(({ starts }) => step.command.startsWith(starts))?.instead;
  const { command, output } = step;
  let printed = await reader.run(instead ?? command);
  if (output === undefined) {
    expect(printed.code, `${command}\n${printed.output}`).toBe(0);
    return;
  }
  const last = performance.now() + PATIENCE_MS;
  while (!isShown(printed.output, output) && ASKS.test(command) && performance.now() < last)
    printed = await reader.run(command);
  if (!isShown(printed.output, output)) expect(printed.output.trimEnd(), command).toBe(output);
}

function isShown(printed: string, output: string): boolean {
  return showsOutput(printed.replace(/[ \t]+$/gm, ''), output);
}

/** An excerpt is YAML, and a part of the configuration when its keys are such. */
function checkExcerpt(text: string): void {
  for (const document of parseAllDocuments(text)) {
    expect(document.errors).toEqual([]);
    const value: unknown = document.toJS();
    const known = configSchema.partial().shape;
    if (typeof value !== 'object' || value === null) continue;
    const keys = Object.keys(value);
    if (!keys.every((key) => Object.hasOwn(known, key))) continue;
    expect(configSchema.partial().safeParse(value).error?.issues ?? [], text).toEqual([]);
  }
}

describe.each(guides)('the guide $page', (guide) => {
  const steps = listSteps(guide);
  const serves = steps.some(({ does }) => does === 'start');
  const ends: (() => Promise<void>)[] = [];
  let reader: Reader;

  beforeAll(async () => {
    if (serves) ends.push(await waitForTurn());
    reader = await prepareReader(guide.page, ends);
  }, WALK_START_MS);

  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  it('starts with what its reader will have', () => {
    expect(guide.text).toMatch(/^---\n(?:.*\n)*?title: .+\n(?:.*\n)*?description: .+\n(?:.*\n)*?---\n\n\S/);
  });

  let failed = false;
  it.each(steps.map((step) => [describeStep(guide.page, step), step] as const))(
    '%s',
    async (_name, step) => {
      if (failed) throw new Error('a step before this one failed');
      failed = true;
      await follow(reader, guide.page, step);
      failed = false;
    },
    90_000,
  );

  const afterwards = findAfterwards(guide.page);
  if (afterwards) it('shows in a browser what it says', () => afterwards(reader), 90_000);
});

it('lists no command as not run that no guide has', () => {
  const unused = NOT_RUN.filter(
    ({ page, starts }) =>
      !guides.some(
        (guide) =>
          guide.page === page &&
          listSteps(guide).some((step) => 'command' in step && step.command.startsWith(starts)),
      ),
  );
  expect(unused).toEqual([]);
});

function describeStep(page: string, step: GuideStep): string {
  const what = 'command' in step ? step.command.split('\n')[0] : 'file' in step ? step.file : step.language;
  return `${page}:${step.line} ${step.does} ${what}`;
}
