import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createStartSteps } from '../../../cli/workloads/start-steps.ts';
import { proves } from '../../requirements/proves.ts';

function open(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), isTTY ? { isTTY, columns: 60 } : {});
  return { steps: createStartSteps(stream), seen: () => String(stream.read() ?? '') };
}

describe('createStartSteps', () => {
  it(`${proves('K-1-03')} shows progress on a terminal and takes it away again`, () => {
    const { steps, seen } = open(true);
    steps.show({ text: 'Pulling', done: 1, total: 4 });
    steps.end();
    const text = seen();
    expect(text).toContain(`${'█'.repeat(6)}${'░'.repeat(18)} 25% Pulling`);
    expect(text.endsWith('\r\u001b[K')).toBe(true);
  });

  it(`${proves('K-1-03')} shows nothing without a terminal`, () => {
    const { steps, seen } = open(false);
    steps.show({ text: 'Pulling', done: 1, total: 4 });
    steps.end();
    expect(seen()).toBe('');
  });

  it.each([true, false])(`${proves('K-8.1-22')} tells a warning as one line (terminal: %s)`, (isTTY) => {
    const { steps, seen } = open(isTTY);
    steps.warn('Using the local copy\nof something');
    expect(seen()).toBe('Using the local copy of something\n');
  });
});
