import { describe, expect, it } from 'vitest';
import { watchHealth } from '../../../cli/workloads/check-health.ts';
import { ManualClock } from './manual-clock.ts';

describe('the health of a server', () => {
  it('is told when it changes, after a second look, and never twice', async () => {
    const clock = new ManualClock();
    const told: boolean[] = [];
    let healthy = true;
    const watch = watchHealth(
      () => Promise.resolve(healthy),
      clock,
      (now) => told.push(now),
    );
    await clock.pass(30_000);
    expect(told).toEqual([]);
    healthy = false;
    await clock.pass(10_000);
    expect(told).toEqual([]);
    await clock.pass(20_000);
    expect(told).toEqual([false]);
    healthy = true;
    await clock.pass(20_000);
    expect(told).toEqual([false, true]);
    watch.stop();
    healthy = false;
    await clock.pass(60_000);
    expect(told).toEqual([false, true]);
  });

  it('is not asked while there is nothing to ask, and begins anew then', async () => {
    const clock = new ManualClock();
    const told: boolean[] = [];
    let exists = true;
    watchHealth(
      () => (exists ? Promise.resolve(false) : undefined),
      clock,
      (now) => told.push(now),
    );
    await clock.pass(10_000);
    exists = false;
    await clock.pass(20_000);
    exists = true;
    await clock.pass(3_000);
    expect(told).toEqual([]);
  });
});
