import { describe, expect, it } from 'vitest';
import { decideIsolation } from '../../../cli/isolation/decide-isolation.ts';
import { UsageError } from '../../../cli/usage-error.ts';
import { proves } from '../../requirements/proves.ts';

describe('decideIsolation', () => {
  it.each([
    undefined,
    '',
    'bridge',
    'default',
  ])(`${proves('R-4.1-17', 'R-1-13')} isolates the bridge network by default: %s`, (network) => {
    expect(decideIsolation({ network })).toEqual({ isolate: true });
    expect(decideIsolation({ network, isolateNetwork: true })).toEqual({ isolate: true });
  });

  it.each([
    'host',
    'none',
    'container:x',
    'mine',
  ])(`${proves('K-4-18', 'R-1-14')} drops isolation for other networks with a warning of one line: %s`, (network) => {
    const { isolate, warning } = decideIsolation({ network });
    expect(isolate).toBe(false);
    expect(warning).toContain(`--network ${network}`);
    expect(warning).not.toContain('\n');
  });

  it.each([
    'host',
    'none',
    'mine',
  ])(`${proves('K-4-19')} refuses what was asked for and cannot be had: %s`, (network) => {
    expect(() => decideIsolation({ network, isolateNetwork: true })).toThrow(UsageError);
  });

  it.each([
    undefined,
    'bridge',
    'host',
    'none',
  ])(`${proves('R-4.1-18')} leaves it to who opts out, without a word: %s`, (network) => {
    expect(decideIsolation({ network, isolateNetwork: false })).toEqual({ isolate: false });
  });
});
