import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Overlay, type PublishedEntry } from '../../../../server/overlay/overlay.ts';
import type { OverlayChange } from '../../../../server/overlay/postgres/overlay-change.ts';
import { proves } from '../../../requirements/proves.ts';
import { makeStored } from '../store-contract.ts';
import { startCutNetwork } from './cut-network.ts';
import { openPostgresStore, PASSWORD, TestPostgres } from './start-postgres.ts';
import { waitUntil } from './wait-until.ts';

const KEY = { source: 'main', type: 'server', name: 'io.example/one' } as const;
const REFUSED = {
  status: 503,
  code: 'store_unavailable',
  headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
};

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await TestPostgres.start();
});
afterAll(() => postgres.close());

let stopped = false;
async function stopPostgres(): Promise<void> {
  stopped = true;
  onTestFinished(() => startPostgres());
  await postgres.stop();
}
async function startPostgres(): Promise<void> {
  if (stopped) await postgres.startAgain();
  stopped = false;
}

function entry(version: string): PublishedEntry {
  return {
    type: 'server',
    name: KEY.name,
    version,
    body: { name: KEY.name, version },
    status: 'active',
    tags: [],
    tools: [],
  };
}

describe('a database that goes away and comes back', () => {
  it(`${proves('C-12.16-01', 'C-12.16-02', 'C-12.16-03', 'C-12.16-04', 'C-12.16-05')} costs writes only, and no restart`, async () => {
    const config = await postgres.createDatabase();
    const [store, otherStore] = [await openPostgresStore(config), await openPostgresStore(config)];
    const [overlay, other] = [await Overlay.open(store), await Overlay.open(otherStore)];
    const heard: OverlayChange[] = [];
    otherStore.replicas.listenForChanges({
      onChange: async (change) => {
        if (change.kind === 'entry') await other.refresh(change);
        heard.push(change);
      },
      onGap: () => {
        throw new Error('nothing was missed');
      },
    });
    await overlay.publish('main', entry('1.0.0'), { org: 'acme' });
    await waitUntil(() => heard.length === 1, 2000);

    await stopPostgres();
    expect(await waitUntil(async () => (await overlay.listTrouble()).length === 1, 12_000)).toBeLessThan(
      12_000,
    );
    for (let tries = 0; tries < 20; tries++) {
      await expect(overlay.publish('main', entry('2.0.0'), { org: 'acme' })).rejects.toMatchObject(REFUSED);
    }
    await expect(store.listRecords('source')).rejects.toMatchObject(REFUSED);
    await expect(store.replicas.tryLockSource('catalog')).rejects.toMatchObject(REFUSED);
    await expect(store.replicas.bundles.listCurrent()).rejects.toMatchObject(REFUSED);
    expect(overlay.readClaims(KEY)).toEqual({ org: 'acme' });
    expect(overlay.segmentOf('main').servers.nameCount).toBe(1);

    await startPostgres();
    expect(await overlay.listTrouble()).toEqual([]);
    await overlay.publish('main', entry('2.0.0'), { org: 'acme' });
    expect(await waitUntil(() => heard.length === 2, 5000)).toBeLessThan(3000);
    expect(other.segmentOf('main').servers.rowsOf(0)).toHaveLength(2);
    expect(await store.replicas.tryLockSource('catalog')).toBeDefined();
  });
});

describe('a network that fails', () => {
  it('does not hide a change that was made but not answered from the process that made it', async () => {
    const config = await postgres.createDatabase();
    const network = await startCutNetwork(postgres.port);
    const store = await openPostgresStore({ ...config, port: network.port });
    const overlay = await Overlay.open(store);
    const told: OverlayChange[] = [];
    store.replicas.listenForChanges({
      onChange: async (change) => {
        if (change.kind === 'entry') await overlay.refresh(change);
        told.push(change);
      },
      onGap: () => {},
    });
    await overlay.publish('main', entry('1.0.0'), {});
    // Several connections, so that one is free whatever another one is used for.
    await Promise.all([store.probe(), store.listRecords('a'), store.listRecords('b')]);
    network.state = 'no answers';
    await expect(overlay.publish('main', entry('2.0.0'), {})).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringContaining('look whether it was'),
    });
    expect(await postgres.run(config.database, 'SELECT count(*)::int AS n FROM berth_versions')).toEqual([
      { n: 2 },
    ]);
    expect(overlay.segmentOf('main').servers.rowsOf(0)).toHaveLength(1);
    network.state = 'whole';
    await waitUntil(() => overlay.segmentOf('main').servers.rowsOf(0).length === 2, 5000);
    await expect(overlay.publish('main', entry('2.0.0'), {})).rejects.toMatchObject({
      code: 'version_exists',
    });
  });

  it('into silence is noticed, and answered with 503 until it is back', { timeout: 60_000 }, async () => {
    const config = await postgres.createDatabase();
    const network = await startCutNetwork(postgres.port);
    const store = await openPostgresStore({ ...config, port: network.port });
    const heard: OverlayChange[] = [];
    store.replicas.listenForChanges({ onChange: (change) => void heard.push(change), onGap: () => {} });
    const lock = await store.replicas.tryLockSource('catalog');
    await store.probe();
    network.state = 'silent';
    const start = performance.now();
    await expect(store.probe()).rejects.toMatchObject(REFUSED);
    expect(performance.now() - start).toBeLessThan(12_000);
    await waitUntil(() => lock?.lost.aborted === true, 7000);
    await expect(store.insertVersion(KEY, makeStored('1.0.0'), {})).rejects.toMatchObject(REFUSED);
    network.state = 'whole';
    const other = await openPostgresStore(config);
    await other.putRecord('a', 'b', '{}');
    expect(await waitUntil(() => heard.length === 1, 10_000)).toBeLessThan(3000);
    await store.probe();
    expect(await store.insertVersion(KEY, makeStored('1.0.0'), {})).toBe('stored');
    expect(await store.replicas.tryLockSource('catalog')).toBeDefined();
  });
});

describe('a database that is there but refuses', () => {
  it('is answered with 503 while it is read-only, and used again when it is not', async () => {
    const config = await postgres.createDatabase();
    const store = await openPostgresStore(config);
    await postgres.run(
      'postgres',
      `ALTER DATABASE ${config.database} SET default_transaction_read_only = on`,
    );
    await postgres.endSessions(config.database);
    await waitUntil(async () => (await trouble(() => store.probe())) !== undefined, 2000);
    await expect(store.insertVersion(KEY, makeStored('1.0.0'), {})).rejects.toMatchObject(REFUSED);
    expect(await store.loadEntries()).toEqual([]);
    await postgres.run(
      'postgres',
      `ALTER DATABASE ${config.database} SET default_transaction_read_only = off`,
    );
    expect(await store.insertVersion(KEY, makeStored('1.0.0'), {})).toBe('stored');
  });

  it('is answered with 503 while it has too many connections or another password, which no answer shows', async () => {
    const { database, ...config } = await postgres.createDatabase();
    const user = `app_${database}`;
    await postgres.run(database, `CREATE ROLE ${user} LOGIN PASSWORD '${PASSWORD}'`);
    const store = await openPostgresStore({
      ...config,
      database,
      user,
      migrationUser: 'berth',
      migrationPassword: PASSWORD,
    });
    await postgres.run(database, `ALTER ROLE ${user} CONNECTION LIMIT 0`);
    await postgres.endSessions(database);
    const full = await waitForTrouble(() => store.probe());
    expect(full).toMatchObject({ ...REFUSED, message: expect.stringContaining('too many connections') });
    await postgres.run(database, `ALTER ROLE ${user} CONNECTION LIMIT -1 PASSWORD 'another'`);
    const wrong = await waitForTrouble(() => store.insertVersion(KEY, makeStored('1.0.0'), {}));
    expect(wrong).toMatchObject(REFUSED);
    expect(String(wrong)).not.toContain(PASSWORD);
    await postgres.run(database, `ALTER ROLE ${user} PASSWORD '${PASSWORD}'`);
    expect(await store.insertVersion(KEY, makeStored('1.0.0'), {})).toBe('stored');
  });

  it('is answered with 503 when its tables are gone or may not be used', async () => {
    const config = await postgres.createDatabase();
    const store = await openPostgresStore(config);
    await postgres.run(config.database, 'ALTER TABLE berth_versions RENAME TO away');
    await expect(store.insertVersion(KEY, makeStored('1.0.0'), {})).rejects.toMatchObject(REFUSED);
    await expect(store.loadEntries()).rejects.toMatchObject(REFUSED);
    await postgres.run(config.database, 'ALTER TABLE away RENAME TO berth_versions');
    expect(await store.insertVersion(KEY, makeStored('1.0.0'), {})).toBe('stored');
  });
});

async function trouble(call: () => Promise<unknown>): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The refusal that comes after sessions were ended: until then a broken connection may be the answer. */
async function waitForTrouble(call: () => Promise<unknown>): Promise<unknown> {
  const seen: unknown[] = [];
  await waitUntil(async () => {
    seen.push(await trouble(call));
    return seen.length > 3;
  }, 5000);
  return seen.at(-1);
}
