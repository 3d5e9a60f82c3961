import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BundleStore } from '../../../sources/bundle/bundle-store.ts';
import type { SourceConfig } from '../../../sources/config/schema.ts';
import { BerthError } from '../../../sources/errors.ts';
import { type Compiler, createCompiler } from '../../../sources/sync/compiler.ts';
import { refreshSource } from '../../../sources/sync/refresh-source.ts';
import { createSlots } from '../../../sources/sync/slots.ts';
import { SyncedSource } from '../../../sources/sync/synced-source.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { catalogOf, makeJob, makeSource, Upstream } from './sync-bench.ts';

interface Told {
  readonly bundles: string[][];
  readonly outcomes: string[];
}

interface StartOptions {
  readonly dir?: string;
  readonly upstream?: Upstream;
  readonly refresh?: Compiler['refresh'];
  readonly source?: SourceConfig;
  readonly random?: number;
  readonly now?: () => number;
}

/** A source over a real store, and what it told: names of each bundle it opened, the outcome of each attempt. */
function start({
  dir = makeDirectory(),
  upstream = new Upstream(catalogOf('a.a/1')),
  ...more
}: StartOptions = {}) {
  const told: Told = { bundles: [], outcomes: [] };
  const { source = makeSource() } = more;
  const refresh = vi.fn(more.refresh ?? ((job) => refreshSource(job, upstream.fetch)));
  const synced = new SyncedSource(source, {
    compiler: { ...createCompiler(), refresh },
    now: more.now ?? Date.now,
    random: () => more.random ?? 0.5,
    jobOf: (config) => makeJob(dir, config),
    readRecord: (name) => new BundleStore(join(dir, 'bundles')).readSource(name),
    slots: createSlots(4),
    events: {
      onBundle: (_source, { servers }) =>
        told.bundles.push(Array.from({ length: servers.nameCount }, (_, index) => servers.nameAt(index))),
      onSynced: (_source, _status, outcome) => told.outcomes.push(outcome),
      onFailed: (_source, _status, error) => told.outcomes.push(error.code),
    },
  });
  started.push(synced);
  return { synced, upstream, refresh, told, dir };
}

const started: SyncedSource[] = [];
afterEach(() => {
  for (const synced of started.splice(0)) synced.stop();
  vi.useRealTimers();
});

describe('a synced source', () => {
  it('goes from pending over syncing to complete, and says what it holds', async () => {
    const { synced, told } = start();
    expect(synced.status).toMatchObject({ phase: 'pending', attempts: 0, lastSyncTime: undefined });
    const running = synced.sync();
    await vi.waitFor(() => expect(synced.status.phase).toBe('syncing'));
    await running;
    expect(synced.status).toMatchObject({ phase: 'complete', attempts: 0, message: '1 server, 0 skills' });
    expect(synced.status.bundle?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(told).toEqual({ bundles: [['a.a/1']], outcomes: ['changed'] });
  });

  it('serves what the store holds before and while its upstream does not answer', async () => {
    const first = start();
    await first.synced.start();
    const upstream = new Upstream('');
    upstream.failure = 'The upstream does not answer.';
    const { synced, told } = start({ dir: first.dir, upstream });
    await synced.start();
    expect(told).toEqual({ bundles: [['a.a/1']], outcomes: ['source_unreachable'] });
    expect(synced.status).toMatchObject({
      phase: 'failed',
      attempts: 1,
      message: 'The upstream does not answer.',
    });
    expect(synced.status.bundle).toBeDefined();
    upstream.failure = undefined;
    upstream.text = catalogOf('a.a/2');
    await synced.sync();
    expect(told.bundles).toEqual([['a.a/1'], ['a.a/2']]);
    expect(synced.status).toMatchObject({ phase: 'complete', attempts: 0 });
  });

  it.each([
    'tampered',
    'truncated',
  ] as const)(`${proves('C-4-09', 'C-4-10')} serves the bundle before one that is %s`, async (how) => {
    const before = start();
    await before.synced.start();
    before.upstream.text = catalogOf('a.a/2');
    await before.synced.sync();
    const { bundle } = before.synced.status;
    const store = new BundleStore(join(before.dir, 'bundles'));
    const bytes = Buffer.from(await store.readBundle('team', bundle?.hash ?? ''));
    const spoilt = how === 'truncated' ? bytes.subarray(0, bytes.length / 2) : Buffer.from(bytes);
    if (how === 'tampered') spoilt.set(Buffer.from('a.a/9'), spoilt.indexOf('a.a/2'));
    writeFileSync(join(store.dir, `team-${bundle?.hash}.bundle`), spoilt);
    const upstream = new Upstream('');
    upstream.failure = 'The upstream does not answer.';
    const { synced, told } = start({ dir: before.dir, upstream });
    await synced.start();
    expect(told).toEqual({ bundles: [['a.a/1']], outcomes: ['bundle_tampered', 'source_unreachable'] });
  });

  it('opens what another process made current, and nothing twice', async () => {
    const { synced, told, dir, upstream } = start();
    await synced.start();
    upstream.text = catalogOf('a.a/2');
    await synced.sync();
    await createCompiler().rollback(join(dir, 'bundles'), 'team', undefined);
    await synced.openCurrent();
    await synced.openCurrent();
    await synced.sync();
    expect(told).toEqual({
      bundles: [['a.a/1'], ['a.a/2'], ['a.a/1']],
      outcomes: ['changed', 'changed', 'unchanged'],
    });
  });

  it('runs once more for whatever was asked for meanwhile, and no more', async () => {
    const waiting: (() => void)[] = [];
    const upstream = new Upstream(catalogOf('a.a/1'));
    const { synced, refresh, told } = start({
      refresh: async (job) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return refreshSource(job, upstream.fetch);
      },
    });
    const running = synced.sync();
    for (let i = 0; i < 5; i++) void synced.sync();
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    upstream.text = catalogOf('a.a/2');
    waiting.shift()?.();
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    upstream.text = catalogOf('a.a/3');
    waiting.shift()?.();
    await running;
    expect(refresh).toHaveBeenCalledTimes(2);
    expect(told.bundles).toEqual([['a.a/2'], ['a.a/3']]);
  });

  it('tells nothing after it was stopped', async () => {
    const { synced, told } = start();
    const running = synced.sync();
    synced.stop();
    await running;
    await synced.openCurrent();
    expect(told).toEqual({ bundles: [], outcomes: [] });
  });

  it('gives what is no error of ours a code', async () => {
    const { synced, told } = start({ refresh: () => Promise.reject(new TypeError('surprise')) });
    await synced.sync();
    expect(told.outcomes).toEqual(['sync_failed']);
    expect(synced.status.message).toContain('surprise');
  });
});

describe('the schedule of a source', () => {
  async function attemptsUntil(ms: number, options: StartOptions): Promise<number[]> {
    const at: number[] = [];
    const { refresh = () => Promise.reject(new BerthError('source_unreachable', 'No answer.')) } = options;
    const { synced } = start({
      ...options,
      refresh: (job) => {
        at.push(Date.now());
        return refresh(job);
      },
    });
    await synced.openCurrent();
    vi.useFakeTimers({ now: 0 });
    void synced.sync();
    await vi.advanceTimersByTimeAsync(ms);
    vi.useRealTimers();
    return at;
  }

  it('retries with growing pauses, at most the interval', async () => {
    const at = await attemptsUntil(250_000, {});
    expect(at.map((time) => time / 1000)).toEqual([0, 2, 6, 14, 30, 62, 122, 182, 242]);
  });

  it('spreads the pauses by a tenth to either side', async () => {
    expect(await attemptsUntil(2_000, { random: 0 })).toEqual([0, 1_800]);
    expect(await attemptsUntil(2_500, { random: 1 })).toEqual([0, 2_200]);
  });

  it(`${proves('S-2.2-06', 'S-1-12')} reads the source again after each interval`, async () => {
    const dir = makeDirectory();
    const { record } = await refreshSource(makeJob(dir), new Upstream(catalogOf('a.a/1')).fetch);
    const refresh: Compiler['refresh'] = async () => ({ outcome: 'unchanged', record });
    expect(await attemptsUntil(180_000, { dir, refresh })).toEqual([0, 60_000, 120_000, 180_000]);
  });

  it('is kept while the clock jumps forward and back', async () => {
    const jumps = [0, 86_400_000, -86_400_000, 3_600_000, -7 * 86_400_000, 0];
    let asked = 0;
    const now = () => Date.now() + (jumps[asked++ % jumps.length] ?? 0);
    const dir = makeDirectory();
    const { record } = await refreshSource(makeJob(dir), new Upstream(catalogOf('a.a/1')).fetch);
    const refresh: Compiler['refresh'] = async () => ({ outcome: 'unchanged', record });
    expect(await attemptsUntil(180_000, { dir, refresh, now })).toEqual([0, 60_000, 120_000, 180_000]);
    expect((await attemptsUntil(14_000, { now })).map((time) => time / 1000)).toEqual([0, 2, 6, 14]);
    expect(asked).toBeGreaterThan(jumps.length);
  });

  it('waits a month when told so, and not at all without an interval', async () => {
    const month = makeSource({ syncPolicy: { interval: '720h' } });
    const dir = makeDirectory();
    const { record } = await refreshSource(makeJob(dir, month), new Upstream(catalogOf('a.a/1')).fetch);
    const refresh: Compiler['refresh'] = async () => ({ outcome: 'unchanged', record });
    expect(await attemptsUntil(60_000, { dir, refresh, source: month })).toHaveLength(1);
    const { syncPolicy: _none, ...never } = makeSource();
    expect(await attemptsUntil(4_000_000, { dir, refresh, source: never })).toHaveLength(1);
  });
});
