import { expect, it } from 'vitest';
import { choosePause, DEFAULT_PACE } from '../../../../sources/kinds/kubernetes/pace.ts';

it('doubles the pauses up to the longest, a tenth more or less', () => {
  const pauses = [1, 2, 3, 5, 6, 1000].map((failures) => choosePause(failures, DEFAULT_PACE, () => 0.5));
  expect(pauses).toEqual([500, 1000, 2000, 8000, 10_000, 10_000]);
  expect(choosePause(1, DEFAULT_PACE, () => 0)).toBeCloseTo(450);
  expect(choosePause(1, DEFAULT_PACE, () => 1)).toBeCloseTo(550);
});
