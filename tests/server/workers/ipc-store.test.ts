import { describe, expect, it, vi } from 'vitest';
import type { OverlayStore } from '../../../server/overlay/overlay-store.ts';
import type { OverlayChange } from '../../../server/overlay/postgres/overlay-change.ts';
import type { SqliteStore } from '../../../server/overlay/sqlite-store.ts';
import { answerWorker, type PrimaryParts } from '../../../server/workers/answer-worker.ts';
import { ChangeHub, type Member } from '../../../server/workers/change-hub.ts';
import { IpcStore } from '../../../server/workers/ipc-store.ts';
import type { PrimaryCalls, WorkerCalls } from '../../../server/workers/process-calls.ts';
import { ToldChanges } from '../../../server/workers/told-changes.ts';
import { silentDeps } from '../../support/consumer-bench.ts';
import { describeStore, makeStored } from '../overlay/store-contract.ts';
import { openStore } from '../overlay/temporary-store.ts';
import { connectChannels } from './connect-channels.ts';

const KEY = { source: 'main', type: 'server', name: 'io.example/one' } as const;

/** A primary process with a store, and as many workers that tell what they were told. */
async function startPrimary(
  change: WorkerCalls['change'][],
): Promise<{ store: SqliteStore; stores: OverlayStore[]; members: Member[] }> {
  const store = await openStore();
  const hub = new ChangeHub(new ToldChanges(silentDeps.log));
  // What needs the service is not asked for here.
  const parts = { store, hub } as unknown as PrimaryParts;
  const members: Member[] = [];
  const stores = change.map((told) => {
    const own = {} as PrimaryCalls;
    const { toA, toB } = connectChannels<PrimaryCalls, WorkerCalls>(own, { change: told } as WorkerCalls);
    const member: Member = { channel: toB, live: true, changing: new Map() };
    Object.assign(own, answerWorker(parts, member));
    hub.add(member);
    members.push(member);
    return new IpcStore(toA);
  });
  return { store, stores, members };
}

const takeAll: WorkerCalls['change'] = async () => undefined;

describeStore('the store of a worker', async () => {
  const { store, stores } = await startPrimary([takeAll, takeAll]);
  const [ofWorker] = stores;
  if (!ofWorker) throw new Error('there is no worker');
  // Only a command asks for these, of a store it opened itself.
  return Object.assign(ofWorker, {
    importEntry: store.importEntry.bind(store),
    insertRecord: store.insertRecord.bind(store),
  });
});

describe('a change by a worker', () => {
  it('is answered when the others show it, and not told to itself', async () => {
    const told: [string, OverlayChange][] = [];
    let show = () => {};
    const shown = new Promise<void>((resolve) => {
      show = resolve;
    });
    const { stores } = await startPrimary([
      async (change) => void told.push(['first', change]),
      async (change) => {
        told.push(['second', change]);
        await shown;
      },
    ]);
    let answered = false;
    const done = stores[0]?.insertVersion(KEY, makeStored('1.0.0'), {}).then((outcome) => {
      answered = true;
      return outcome;
    });
    await vi.waitUntil(() => told.length > 0);
    expect(answered).toBe(false);
    show();
    expect(await done).toBe('stored');
    expect(told).toEqual([['second', { kind: 'entry', ...KEY }]]);
  });

  it('is answered within 200 ms when another one hangs', async () => {
    const { stores } = await startPrimary([takeAll, () => new Promise(() => undefined)]);
    const started = performance.now();
    await stores[0]?.putRecord('source', 'team', '{}');
    const ms = performance.now() - started;
    expect(ms).toBeGreaterThan(150);
    expect(ms).toBeLessThan(2000);
  });

  it('does not wait for one that is changing the same entry, or takes no requests', async () => {
    const { stores, members } = await startPrimary([takeAll, () => new Promise(() => undefined)]);
    const other = members[1];
    if (!other) throw new Error('there is no other worker');
    other.changing.set(`entry\nmain\nserver\n${KEY.name}`, 1);
    const started = performance.now();
    await stores[0]?.insertVersion(KEY, makeStored('1.0.0'), {});
    other.changing.clear();
    other.live = false;
    await stores[0]?.insertVersion(KEY, makeStored('2.0.0'), {});
    expect(performance.now() - started).toBeLessThan(150);
  });

  it('is told to nobody when it changed nothing', async () => {
    const told = vi.fn(takeAll);
    const { stores } = await startPrimary([takeAll, told]);
    expect(await stores[0]?.deleteVersion(KEY, '1.0.0')).toBe(false);
    expect(await stores[0]?.deleteRecord('source', 'none')).toBe(false);
    expect(await stores[0]?.deleteEntries('main')).toBe(0);
    expect(told).not.toHaveBeenCalled();
  });
});

describe('changes told to a process', () => {
  it('are kept until somebody listens, and tried again when they cannot be taken over', async () => {
    const told = new ToldChanges(silentDeps.log);
    await told.tell({ kind: 'source', source: 'early' });
    const taken: OverlayChange[] = [];
    let failures = 1;
    const stop = told.listen({
      onChange: (change) => {
        if (failures-- > 0) throw new Error('not now');
        taken.push(change);
      },
      onGap: () => undefined,
    });
    await told.whenCaughtUp();
    expect(taken).toEqual([{ kind: 'source', source: 'early' }]);
    await stop();
  });
});
