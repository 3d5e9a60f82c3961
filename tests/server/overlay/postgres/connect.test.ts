import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../../server/observe/log.ts';
import { openStore } from '../../../../server/overlay/open-store.ts';
import type { DatabaseConfig } from '../../../../server/overlay/postgres/connection-settings.ts';
import { PostgresStore } from '../../../../server/overlay/postgres/postgres-store.ts';
import { SqliteStore } from '../../../../server/overlay/sqlite-store.ts';
import { configSchema, type LoadedConfig } from '../../../../sources/config/schema.ts';
import { proves } from '../../../requirements/proves.ts';
import { LOOPBACK_CERT, LOOPBACK_KEY } from '../../auth/loopback-tls.ts';
import { openPostgresStore, PASSWORD, TestPostgres } from './start-postgres.ts';
import { waitUntil } from './wait-until.ts';

const IN_USE =
  "SELECT count(*)::int AS n, bool_and(coalesce(ssl, false)) AS ssl FROM pg_stat_activity LEFT JOIN pg_stat_ssl USING (pid) WHERE application_name = 'berth' AND datname = $1";

let postgres: TestPostgres;
let files: string;
beforeAll(async () => {
  postgres = await TestPostgres.start();
  files = mkdtempSync(join(tmpdir(), 'berth-tls-'));
  writeFileSync(join(files, 'ca.pem'), LOOPBACK_CERT);
});
afterAll(async () => {
  rmSync(files, { recursive: true, force: true });
  await postgres.close();
});

async function encrypt(): Promise<void> {
  const [row] = await postgres.run('postgres', 'SHOW data_directory');
  const directory = String(row?.data_directory);
  const { uid, gid } = statSync(directory);
  for (const [name, content] of Object.entries({ 'server.crt': LOOPBACK_CERT, 'server.key': LOOPBACK_KEY })) {
    writeFileSync(join(directory, name), content, { mode: 0o600 });
    chownSync(join(directory, name), uid, gid);
  }
  await postgres.run('postgres', 'ALTER SYSTEM SET ssl = on');
  await postgres.run('postgres', 'SELECT pg_reload_conf()');
  await waitUntil(async () => (await postgres.run('postgres', 'SHOW ssl'))[0]?.ssl === 'on', 5000);
}

function loadedWith(database: DatabaseConfig | undefined): LoadedConfig {
  const config = configSchema.parse({
    sources: [{ name: 'main', managed: {} }],
    registries: [{ name: 'all', sources: ['main'] }],
    ...(database ? { database } : {}),
  });
  return { config, file: join(files, 'c.yaml'), baseDir: files, dataDir: join(files, 'data') };
}

describe('encryption', () => {
  it.each(['require', 'verify-ca', 'verify-full'] as const)('is insisted on with %s', async (sslMode) => {
    const config = await postgres.createDatabase();
    await expect(openPostgresStore({ ...config, sslMode })).rejects.toMatchObject({
      code: 'database_unreachable',
      message: expect.stringContaining('SSL'),
    });
  });

  it('is done without with prefer when the server has none, and used once it has', async () => {
    const config = { ...(await postgres.createDatabase()), sslMode: 'prefer' as const };
    const plain = await openPostgresStore(config);
    await plain.probe();
    expect(await postgres.run('postgres', IN_USE, [config.database])).toEqual([{ n: 1, ssl: false }]);
    await plain.close();
    await encrypt();
    const store = await openPostgresStore(config);
    await store.probe();
    await waitUntil(
      async () => (await postgres.run('postgres', IN_USE, [config.database]))[0]?.ssl === true,
      5000,
    );
  });

  it('asks who answers with verify-ca and verify-full only, or when authorities are given', async () => {
    await encrypt();
    const { sslMode: _mode, ...config } = await postgres.createDatabase();
    await openPostgresStore({ ...config, sslMode: 'require' });
    const url = (mode: string, host = '127.0.0.1') =>
      `postgres://berth:${encodeURIComponent(PASSWORD)}@${host}:${postgres.port}/${config.database}?sslmode=${mode}`;
    for (const mode of ['verify-ca', 'verify-full']) {
      await expect(openPostgresStore({ url: url(mode) })).rejects.toMatchObject({
        code: 'database_unreachable',
      });
    }
    const ca = `&sslrootcert=${join(files, 'ca.pem')}`;
    await openPostgresStore({ url: url('require') + ca });
    await openPostgresStore({ url: url('verify-ca', 'localhost') + ca });
    await openPostgresStore({ url: url('verify-full') + ca });
    await expect(openPostgresStore({ url: url('verify-full', 'localhost') + ca })).rejects.toMatchObject({
      code: 'database_unreachable',
    });
  });
});

describe('credentials', () => {
  it('are read from their file at each connect', async () => {
    const { password: _password, ...config } = await postgres.createDatabase();
    const user = `app_${config.database}`;
    await postgres.run(config.database, `CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD 'first'`);
    const passwordFile = join(files, 'password');
    writeFileSync(passwordFile, 'first\n');
    const store = await openPostgresStore({ ...config, user, passwordFile });
    await postgres.run(config.database, `ALTER ROLE ${user} PASSWORD 'second'`);
    await postgres.endSessions(config.database);
    await waitUntil(
      () =>
        store.probe().then(
          () => false,
          () => true,
        ),
      2000,
    );
    writeFileSync(passwordFile, 'second');
    await store.probe();
    rmSync(passwordFile);
    await expect(openPostgresStore({ ...config, user, passwordFile })).rejects.toMatchObject({
      code: 'secret_unreadable',
      at: { file: passwordFile },
    });
  });

  it('that are wrong are a start error that does not show them', async () => {
    const config = await postgres.createDatabase();
    const opened = openPostgresStore({ ...config, password: 'not-this-one' });
    await expect(opened).rejects.toMatchObject({ code: 'database_unreachable', at: { flag: 'database' } });
    await expect(opened).rejects.not.toThrow(/not-this-one/);
  });
});

describe('connections', () => {
  it('stay within maxOpenConns, the listener and the locks included', async () => {
    const config = { ...(await postgres.createDatabase()), maxOpenConns: 5 };
    const store = await openPostgresStore(config);
    store.replicas.listenForChanges({ onChange: () => {}, onGap: () => {} });
    await store.replicas.tryLockSource('catalog');
    const work = Promise.all(Array.from({ length: 200 }, (_, n) => store.putRecord('a', String(n), '{}')));
    const seen: number[] = [];
    let done = false;
    void work.then(() => {
      done = true;
    });
    while (!done) seen.push(Number((await postgres.run('postgres', IN_USE, [config.database]))[0]?.n));
    await work;
    expect(Math.max(...seen)).toBe(5);
  });

  it('wait for a database that is just starting', async () => {
    const config = await postgres.createDatabase();
    await postgres.stop();
    const opening = openPostgresStore(config, { patience: 20_000 });
    await postgres.startAgain();
    expect(await (await opening).loadEntries()).toEqual([]);
  });
});

describe('openStore', () => {
  it(`${proves('C-2-53', 'C-2-54')} chooses PostgreSQL with a database block, else SQLite`, async () => {
    const log = createLog({ level: 'silent' });
    const shared = await openStore(loadedWith(await postgres.createDatabase()), log);
    onTestFinished(() => shared.close());
    expect(shared).toBeInstanceOf(PostgresStore);
    expect(shared.replicas).toBeDefined();
    const single = await openStore(loadedWith(undefined), log);
    onTestFinished(() => single.close());
    expect(single).toBeInstanceOf(SqliteStore);
    expect(single.replicas).toBeUndefined();
  });
});
