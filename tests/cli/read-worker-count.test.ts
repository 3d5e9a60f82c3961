import { describe, expect, it } from 'vitest';
import { readWorkerCount } from '../../cli/read-worker-count.ts';
import { UsageError } from '../../cli/usage-error.ts';

describe('the number of workers', () => {
  it('is what is given, or one per core', () => {
    expect(readWorkerCount('1')).toBe(1);
    expect(readWorkerCount('256')).toBe(256);
    expect(readWorkerCount('auto', () => 6)).toBe(6);
  });

  it.each(['0', '257', 'x', '', ' 2', '2.0', '-1', 'AUTO'])('is not %j', (given) => {
    expect(() => readWorkerCount(given)).toThrow(UsageError);
  });
});
