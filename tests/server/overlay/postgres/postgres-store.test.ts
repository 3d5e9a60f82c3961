import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Overlay, type PublishedEntry } from '../../../../server/overlay/overlay.ts';
import type { EntryKey } from '../../../../server/overlay/overlay-store.ts';
import type { DatabaseConfig } from '../../../../server/overlay/postgres/connection-settings.ts';
import { readStormRounds } from '../../../support/storm-rounds.ts';
import { runKillStorm } from '../kill-storm.ts';
import { describeStore, makeStored } from '../store-contract.ts';
import { openPostgresStore, PASSWORD, TestPostgres } from './start-postgres.ts';

const KEY: EntryKey = { source: 'main', type: 'server', name: 'io.example/one' };

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await TestPostgres.start();
});
afterAll(() => postgres.close());

function urlOf({ port, database, user }: DatabaseConfig): string {
  return `postgres://${user}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

function entry(version: string, name = KEY.name): PublishedEntry {
  return { type: 'server', name, version, body: { name, version }, status: 'active', tags: [], tools: [] };
}

describeStore('the PostgreSQL store', async () => openPostgresStore(await postgres.createDatabase()));

describe('the PostgreSQL store, shared', () => {
  it('gives one success for 100 concurrent publishes of a version through two processes', async () => {
    const config = await postgres.createDatabase();
    const overlays = [
      await Overlay.open(await openPostgresStore(config)),
      await Overlay.open(await openPostgresStore(config)),
    ];
    for (const version of ['1.0.0', '2.0.0', '3.0.0']) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 100 }, async (_, index) =>
          overlays[index % 2]?.publish('main', entry(version), {}),
        ),
      );
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(refused).toHaveLength(99);
      for (const reason of refused) expect(reason).toMatchObject({ status: 409, code: 'version_exists' });
    }
  });

  it('never keeps versions of one entry under different claims', async () => {
    const config = await postgres.createDatabase();
    const stores = [await openPostgresStore(config), await openPostgresStore(config)];
    for (let round = 0; round < 20; round++) {
      const key = { ...KEY, name: `io.example/n${round}` };
      const outcomes = await Promise.all(
        stores.map((store, index) =>
          store.insertVersion(key, makeStored(`1.${index}.0`), { org: `o${index}` }),
        ),
      );
      expect(outcomes.toSorted()).toEqual(['claims_differ', 'stored']);
      expect((await stores[0]?.readEntry(key))?.versions).toHaveLength(1);
    }
  });

  it('loses no version when the last one is deleted while the next is published', async () => {
    const config = await postgres.createDatabase();
    const [first, second] = [await openPostgresStore(config), await openPostgresStore(config)];
    await first.insertVersion(KEY, makeStored('0.0.0'), {});
    for (let round = 0; round < 100; round++) {
      const [deleted, inserted] = await Promise.all([
        first.deleteVersion(KEY, `${round}.0.0`),
        second.insertVersion(KEY, makeStored(`${round + 1}.0.0`), {}),
      ]);
      expect([deleted, inserted]).toEqual([true, 'stored']);
      expect((await first.readEntry(KEY))?.versions.map(({ version }) => version)).toEqual([
        `${round + 1}.0.0`,
      ]);
    }
  });

  it('does a transaction again that lost against another one, and never shows it', async () => {
    const config = await postgres.createDatabase();
    const store = await openPostgresStore(config);
    // About every fourth attempt fails, as under a storm of conflicts; ten in a row practically never do.
    await postgres.run(
      config.database,
      `CREATE SEQUENCE tries;
       CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('tries') % 5 = 0 THEN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END IF;
         IF nextval('tries') % 11 = 0 THEN RAISE EXCEPTION 'lost' USING ERRCODE = '40P01'; END IF;
         RETURN NULL;
       END $$;
       CREATE TRIGGER lose AFTER INSERT OR DELETE ON berth_versions FOR EACH ROW EXECUTE FUNCTION lose();`,
    );
    const names = Array.from({ length: 60 }, (_, index) => `io.example/n${index}`);
    const outcomes = await Promise.all(
      names.map((name) => store.insertVersion({ ...KEY, name }, makeStored('1.0.0'), {})),
    );
    expect(new Set(outcomes)).toEqual(new Set(['stored']));
    const deleted = await Promise.all(names.map((name) => store.deleteVersion({ ...KEY, name }, '1.0.0')));
    expect(new Set(deleted)).toEqual(new Set([true]));
    expect(await store.loadEntries()).toEqual([]);
  });

  it('answers 503 when a transaction loses for ever', async () => {
    const config = await postgres.createDatabase();
    const store = await openPostgresStore(config);
    await postgres.run(
      config.database,
      `CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$;
       CREATE TRIGGER lose BEFORE INSERT ON berth_versions FOR EACH ROW EXECUTE FUNCTION lose();`,
    );
    await expect(store.insertVersion(KEY, makeStored('1.0.0'), {})).rejects.toMatchObject({
      status: 503,
      code: 'store_unavailable',
    });
    expect(await store.loadEntries()).toEqual([]);
  });

  it('lets a bad change fail alone', async () => {
    const store = await openPostgresStore(await postgres.createDatabase());
    const bad = makeStored('1.0.0', { updatedAt: Number.NaN });
    const outcomes = await Promise.allSettled([
      store.insertVersion({ ...KEY, name: 'io.example/a' }, makeStored('1.0.0'), {}),
      store.insertVersion({ ...KEY, name: 'io.example/b' }, bad, {}),
      store.insertVersion({ ...KEY, name: 'io.example/c' }, makeStored('1.0.0'), {}),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await store.loadEntries()).map(({ name }) => name)).toEqual(['io.example/a', 'io.example/c']);
  });

  it('commits durably even where the database would not', async () => {
    const config = await postgres.createDatabase();
    await postgres.run('postgres', `ALTER DATABASE ${config.database} SET synchronous_commit = off`);
    await postgres.run(
      'postgres',
      `ALTER DATABASE ${config.database} SET default_transaction_isolation = serializable`,
    );
    const store = await openPostgresStore(config);
    await postgres.run(
      config.database,
      `CREATE TABLE seen (sync text, isolation text);
       CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         INSERT INTO seen VALUES (current_setting('synchronous_commit'), current_setting('transaction_isolation'));
         RETURN NULL; END $$;
       CREATE TRIGGER note AFTER INSERT ON berth_versions FOR EACH ROW EXECUTE FUNCTION note();`,
    );
    await store.insertVersion(KEY, makeStored('1.0.0'), {});
    expect(await postgres.run(config.database, 'SELECT * FROM seen')).toEqual([
      { sync: 'on', isolation: 'read committed' },
    ]);
  });
});

describe('a killed process', () => {
  const rounds = readStormRounds(50);

  it(
    `leaves everything behind that it answered and nothing half-written, ${rounds} times over`,
    { timeout: 30_000 + rounds * 5000 },
    async () => {
      const config = await postgres.createDatabase();
      const observer = await openPostgresStore(config);
      const { answered, kept } = await runKillStorm({
        script: './postgres/publish-storm.ts',
        args: [urlOf(config)],
        rounds,
        readAll: () => observer.loadEntries(),
      });
      expect(answered).toBeGreaterThanOrEqual(rounds);
      expect(kept).toBeGreaterThanOrEqual(answered);
    },
  );
});
