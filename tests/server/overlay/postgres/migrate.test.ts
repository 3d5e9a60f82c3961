import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateDown, migrateUp, readMigrationStatus } from '../../../../server/overlay/postgres/migrate.ts';
import { MIGRATIONS } from '../../../../server/overlay/postgres/migrations.ts';
import { proves } from '../../../requirements/proves.ts';
import { makeStored } from '../store-contract.ts';
import { openPostgresStore, PASSWORD, TestPostgres } from './start-postgres.ts';

const KEY = { source: 'main', type: 'server', name: 'io.example/one' } as const;
const NEWEST = MIGRATIONS.length;
const TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await TestPostgres.start();
});
afterAll(() => postgres.close());

describe('migrations', () => {
  it('are numbered without gaps, so that a version says what was applied', () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  it('go up and down, step by step, and leave nothing behind', async () => {
    const { database } = await postgres.createDatabase();
    const client = await postgres.connect(database);
    try {
      expect(await readMigrationStatus(client)).toMatchObject({ version: 0, known: NEWEST });
      expect((await migrateUp(client)).map(({ version }) => version)).toEqual([1, 2]);
      expect(await migrateUp(client)).toEqual([]);
      const { version, migrations } = await readMigrationStatus(client);
      expect(version).toBe(NEWEST);
      for (const { appliedAt } of migrations) expect(Date.parse(appliedAt ?? '')).toBeGreaterThan(0);
      const tables = (await client.query(TABLES)).rows;
      expect((await migrateDown(client, 1)).map(({ name }) => name)).toEqual(['replicas']);
      expect(
        (await readMigrationStatus(client)).migrations.map(({ appliedAt }) => appliedAt !== undefined),
      ).toEqual([true, false]);
      expect((await migrateDown(client, 99)).map(({ name }) => name)).toEqual(['overlay']);
      expect((await client.query(TABLES)).rows).toEqual([{ tablename: 'berth_migrations' }]);
      await migrateUp(client);
      expect((await client.query(TABLES)).rows).toEqual(tables);
    } finally {
      await client.end();
    }
  });

  it('that fail leave the database as it was', async () => {
    const { database } = await postgres.createDatabase();
    const client = await postgres.connect(database);
    try {
      const broken = { version: NEWEST + 1, name: 'broken', up: 'CREATE TABLE x (); SELECT 1 / 0', down: '' };
      await expect(migrateUp(client, { migrations: [...MIGRATIONS, broken] })).rejects.toMatchObject({
        code: '22012',
      });
      expect((await client.query(TABLES)).rows).toEqual([]);
    } finally {
      await client.end();
    }
  });

  it('are applied once when many processes start at the same time', async () => {
    const config = await postgres.createDatabase();
    const stores = await Promise.all(Array.from({ length: 5 }, () => openPostgresStore(config)));
    await stores[0]?.insertVersion(KEY, makeStored('1.0.0'), {});
    for (const store of stores) expect(await store.loadEntries()).toHaveLength(1);
    expect(await postgres.run(config.database, 'SELECT count(*)::int AS n FROM berth_migrations')).toEqual([
      { n: NEWEST },
    ]);
  });

  it('of a newer program are refused, and not taken back', async () => {
    const config = await postgres.createDatabase();
    await openPostgresStore(config);
    await postgres.run(config.database, "INSERT INTO berth_migrations (version, name) VALUES (99, 'later')");
    await expect(openPostgresStore(config)).rejects.toMatchObject({ code: 'overlay_too_new' });
    const client = await postgres.connect(config.database);
    try {
      await expect(migrateDown(client, 1)).rejects.toMatchObject({ code: 'overlay_too_new' });
      expect((await readMigrationStatus(client)).migrations.at(-1)).toMatchObject({
        version: 99,
        name: 'later',
      });
    } finally {
      await client.end();
    }
  });

  it(`${proves('C-2-55')} are made by migrationUser, for a user that may do no more than it has to`, async () => {
    const { database, ...config } = await postgres.createDatabase();
    const user = `app "${database}"`;
    await postgres.run(database, `CREATE ROLE "app ""${database}""" LOGIN PASSWORD '${PASSWORD}'`);
    const service = { ...config, database, user };
    await expect(openPostgresStore(service)).rejects.toMatchObject({
      code: 'database_migration_refused',
      fix: expect.stringContaining('migrationUser'),
    });
    const migrator = { migrationUser: 'berth', migrationPassword: PASSWORD };
    const store = await openPostgresStore({ ...service, ...migrator });
    expect(await store.insertVersion(KEY, makeStored('1.0.0'), {})).toBe('stored');
    expect(await store.deleteVersion(KEY, '1.0.0')).toBe(true);
    await store.putRecord('a', 'b', '{}');
    await store.probe();
    await store.replicas.pruneChanges();
    expect(await store.replicas.bundles.listCurrent()).toEqual([]);
    expect(
      await postgres.run(database, 'SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = $1', [
        'public',
      ]),
    ).toEqual([{ tableowner: 'berth' }]);
    // Once everything is there the credentials of migrations are needed no more.
    await openPostgresStore(service);
  });
});
