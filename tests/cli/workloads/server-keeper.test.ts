import { describe, expect, it } from 'vitest';
import { describeExit } from '../../../cli/workloads/describe-exit.ts';
import { ServerKeeper, type ServerLauncher } from '../../../cli/workloads/server-keeper.ts';
import { proves } from '../../requirements/proves.ts';
import { ManualClock, settle } from './manual-clock.ts';

const DIED = describeExit(9);

function makeKeeper(more: Partial<ServerLauncher> = {}) {
  const clock = new ManualClock();
  const launches: number[] = [];
  const statuses: string[] = [];
  let discarded = 0;
  const launcher: ServerLauncher = {
    launch: async () => void launches.push(clock.now()),
    isIntact: async () => false,
    discard: async () => void discarded++,
    ...more,
  };
  const ready = { now: async (_signal: AbortSignal): Promise<void> => {} };
  const keeper = new ServerKeeper(
    launcher,
    (signal) => ready.now(signal),
    clock,
    (status) => statuses.push(status),
  );
  return { clock, keeper, launches, statuses, ready, discarded: () => discarded };
}

const never = new AbortController().signal;
const hang = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('ServerKeeper', () => {
  it(`${proves('K-3-10')} waits 5 s, then twice as long up to 60 s, and gives up after ten restarts`, async () => {
    const { clock, keeper, ready, launches } = makeKeeper();
    const givenUp: string[] = [];
    void keeper.givenUp.then(({ code }) => givenUp.push(code));
    await keeper.begin(never);
    ready.now = async () => {
      throw DIED;
    };
    keeper.exited(DIED);
    await clock.pass(600_000);
    const waits = launches.slice(1).map((at, index) => (at - (launches[index] ?? 0)) / 1000);
    expect(waits).toEqual([5, 10, 20, 40, 60, 60, 60, 60, 60, 60]);
    expect(givenUp).toEqual(['server_given_up']);
  });

  it.each([
    [29_000, 10_000],
    [30_000, 5_000],
  ])(`${proves('K-3-10')} after %i ms of health waits %i ms`, async (healthy, wait) => {
    const { clock, keeper, launches } = makeKeeper();
    await keeper.begin(never);
    keeper.exited(DIED);
    await clock.pass(5_000);
    await clock.pass(healthy);
    const exitedAt = clock.now();
    keeper.exited(DIED);
    await clock.pass(60_000);
    expect(launches.map((at) => at - exitedAt).at(-1)).toBe(wait);
  });

  it('notices an exit at once and lets go of those who wait', async () => {
    const { keeper, statuses, discarded } = makeKeeper();
    await keeper.begin(never);
    keeper.exited(DIED);
    expect(statuses).toEqual(['running', 'unhealthy']);
    expect(discarded()).toBe(1);
    await keeper.end();
  });

  it('fails the first start at once when the server exits, with that as the reason', async () => {
    const { keeper, ready } = makeKeeper();
    ready.now = hang;
    const begun = keeper.begin(never);
    await settle();
    keeper.exited(DIED);
    await expect(begun).rejects.toBe(DIED);
  });

  it(`${proves('K-3-13')} starts the server again without waiting when the engine is back`, async () => {
    const { clock, keeper, launches, statuses } = makeKeeper();
    await keeper.begin(never);
    keeper.lost();
    keeper.exited(DIED);
    await clock.pass(3_600_000);
    expect(launches).toHaveLength(1);
    await keeper.back();
    await settle();
    expect(launches).toHaveLength(2);
    expect(statuses.at(-1)).toBe('running');
  });

  it(`${proves('K-3-13')} leaves a server alone that outlived the engine's restart`, async () => {
    const { keeper, launches, statuses } = makeKeeper({ isIntact: async () => true });
    await keeper.begin(never);
    keeper.lost();
    expect(statuses.at(-1)).toBe('unhealthy');
    await keeper.back();
    expect(launches).toHaveLength(1);
    expect(statuses.at(-1)).toBe('running');
  });

  it('tries again with the next wait when the engine is away in the middle of a start', async () => {
    const { clock, keeper, ready, statuses } = makeKeeper();
    await keeper.begin(never);
    keeper.exited(DIED);
    ready.now = hang;
    await clock.pass(5_000);
    expect(statuses.at(-1)).toBe('starting');
    keeper.lost();
    ready.now = async () => {};
    await keeper.back();
    await settle();
    expect(statuses.at(-1)).toBe('running');
  });

  it('starts nothing after its end', async () => {
    const { clock, keeper, launches } = makeKeeper();
    await keeper.begin(never);
    keeper.exited(DIED);
    await keeper.end();
    await clock.pass(100_000);
    expect(launches).toHaveLength(1);
  });
});
