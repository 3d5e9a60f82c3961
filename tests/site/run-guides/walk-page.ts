import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { showsOutput } from '../../support/guide-output.ts';
import type { GuideStep } from '../guides/list-steps.ts';
import type { Reader } from '../guides/reader.ts';
import { findNotRun } from './not-run.ts';

/** The first run of a package builds its image. */
export const STEP_MS = 180_000;
/** What the proxy or a server says is in its log a moment later. */
const PATIENCE_MS = 8_000;
/** Changes nothing, so it may be asked again. */
const LOOKS = /^berth (?:logs|list|status)\b/;

/**
 * Does a step of a page and judges what the reader sees.
 * @throws what `expect` throws when a command shows something else
 */
export async function followStep(reader: Reader, page: string, step: GuideStep): Promise<void> {
  if (step.does === 'write') return reader.write(step.file, step.text);
  if (step.does === 'read') return checkSample(step);
  const syntax = spawnSync('bash', ['-n'], { input: step.command, encoding: 'utf8' });
  expect(syntax.stderr, step.command).toBe('');
  if (findNotRun(page, step.command)) return;
  if (step.does === 'start') return reader.start(step.command);
  const { command, output = '' } = step;
  let printed = await reader.run(command, STEP_MS);
  const last = performance.now() + PATIENCE_MS;
  while (!showsOutput(printed.output, output) && LOOKS.test(command) && performance.now() < last)
    printed = await reader.run(command, STEP_MS);
  if (!showsOutput(printed.output, output)) expect(printed.output.trimEnd(), command).toBe(output);
}

/** A sample that is only read has to be what it says it is. */
function checkSample({ language, text }: Extract<GuideStep, { does: 'read' }>): void {
  if (language === 'json') JSON.parse(text);
  if (language === 'yaml') parse(text);
}

/** The name of a step in a report. */
export function describeStep(page: string, step: GuideStep): string {
  const what = 'command' in step ? step.command.split('\n')[0] : 'file' in step ? step.file : step.language;
  return `${page}:${step.line} ${step.does} ${what}`;
}
