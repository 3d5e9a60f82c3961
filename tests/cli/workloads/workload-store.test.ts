import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WORKLOAD_STATUSES } from '../../../cli/workloads/workload-state.ts';
import { WorkloadStore } from '../../../cli/workloads/workload-store.ts';
import { proves } from '../../requirements/proves.ts';
import { makeState, makeStore } from './make-state.ts';

describe('WorkloadStore', () => {
  it(`${proves('K-3-01')} keeps one file a workload that only its owner may read`, async () => {
    const store = makeStore();
    await store.reserve(makeState('one'));
    await store.update('one', (state) => ({ ...state, status: 'stopped' }));
    const file = store.paths.state('one');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(file))).toEqual(['one.json']);
    expect((await store.read('one'))?.status).toBe('stopped');
  });

  it(`${proves('K-3-01')} loses no change of many writers, and never shows half a file`, async () => {
    const store = makeStore();
    await store.reserve(makeState('busy'));
    let reading = true;
    const reader = (async () => {
      while (reading) expect(await new WorkloadStore(store.paths).read('busy')).toBeDefined();
    })();
    const more = (
      await Promise.all(
        Array.from({ length: 25 }, () =>
          new WorkloadStore(store.paths).update('busy', (state) => ({
            ...state,
            restarts: state.restarts + 1,
          })),
        ),
      )
    ).length;
    reading = false;
    await reader;
    expect((await store.read('busy'))?.restarts).toBe(more);
  });

  it(`${proves('K-3-08')} gives a name to one of many that want it at once`, async () => {
    const store = makeStore();
    const tries = await Promise.allSettled(
      Array.from({ length: 10 }, () => new WorkloadStore(store.paths).reserve(makeState('race'))),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of tries) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'workload_exists' });
    }
    expect(readdirSync(store.paths.workloads)).toEqual(['race.json']);
  });

  it.each([
    'error',
    'stopped',
    'running',
  ] as const)(`${proves('K-3-05')} says which group has a name that is taken, also by one in %s`, async (status) => {
    const store = makeStore();
    const state = makeState('taken', { status });
    await store.reserve({ ...state, plan: { ...state.plan, group: 'blue' } });
    await expect(store.reserve(makeState('taken'))).rejects.toThrow('"taken" in the group blue');
  });

  it(`${proves('K-3-02')} holds every status there is, and no other`, async () => {
    expect([...WORKLOAD_STATUSES].sort()).toEqual(
      ['starting', 'running', 'unhealthy', 'stopped', 'error', 'unauthenticated', 'removing'].sort(),
    );
    const store = makeStore();
    await store.reserve(makeState('one'));
    writeFileSync(store.paths.state('one'), JSON.stringify({ ...makeState('one'), status: 'dozing' }));
    await expect(store.read('one')).rejects.toMatchObject({ code: 'state_corrupt' });
  });

  it('lists the others beside a file that cannot be read, and names that file', async () => {
    const store = makeStore();
    await store.reserve(makeState('good'));
    await store.reserve(makeState('torn'));
    const file = store.paths.state('torn');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 40));
    const { states, broken } = await store.list();
    expect(states.map(({ plan }) => plan.name)).toEqual(['good']);
    expect(broken.map(({ error }) => error.at?.file)).toEqual([file]);
  });

  it('leaves one that was removed meanwhile removed', async () => {
    const store = makeStore();
    await store.reserve(makeState('gone'));
    await store.remove('gone');
    expect(await store.update('gone', (state) => ({ ...state, status: 'stopped' }))).toBeUndefined();
    expect(await store.names()).toEqual([]);
  });
});
