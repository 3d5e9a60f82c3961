import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../server/overlay/postgres/migrations.ts';
import { PASSWORD, TestPostgres } from '../server/overlay/postgres/start-postgres.ts';
import { runBerth } from './run-berth.ts';
import { enterDirectory } from './working-directory.ts';

const ALL = MIGRATIONS.map(({ version, name }) => ({ version, name }));

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await TestPostgres.start();
});
afterAll(() => postgres.close());

const config = {
  sources: [{ name: 'main', managed: {} }],
  registries: [{ name: 'all', sources: ['main'] }],
  auth: { mode: 'anonymous' },
};

async function enterWithDatabase(more: object = {}) {
  const { password: _password, ...database } = await postgres.createDatabase();
  enterDirectory().write('registry.config.yaml', { ...config, database: { ...database, ...more } });
  return database.database;
}

const env = { BERTH_DATABASE_PASSWORD: PASSWORD };

describe('berth migrate', () => {
  it('goes up, says where it stands, and down again', async () => {
    await enterWithDatabase();
    expect(await runBerth(['migrate', 'status'], env)).toMatchObject({
      code: 0,
      lines: [
        expect.stringMatching(/VERSION +NAME +APPLIED AT/),
        ...ALL.map(() => expect.stringContaining('not applied')),
      ],
    });
    const up = await runBerth(['migrate', 'up', '--steps', '1', '--format', 'json'], env);
    expect(JSON.parse(up.stdout)).toEqual({ applied: ALL.slice(0, 1) });
    expect((await runBerth(['migrate', 'up'], env)).lines).toEqual(
      ALL.slice(1).map(({ version, name }) => `Applied ${version} ${name}.`),
    );
    expect((await runBerth(['migrate', 'up'], env)).lines).toEqual([
      'Nothing to do: the database is up to date.',
    ]);
    const status = JSON.parse((await runBerth(['migrate', 'status', '--format', 'json'], env)).stdout);
    expect(status).toMatchObject({ version: ALL.length, known: ALL.length });
    const down = await runBerth(['migrate', 'down', '--yes', '--format', 'json'], env);
    expect(JSON.parse(down.stdout)).toEqual({ takenBack: ALL.slice(-1) });
  });

  it('takes nothing back without --yes', async () => {
    const database = await enterWithDatabase();
    await runBerth(['migrate', 'up'], env);
    const { code, stderr } = await runBerth(['migrate', 'down', '--steps', '2'], env);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect(await postgres.run(database, 'SELECT count(*)::int AS n FROM berth_migrations')).toEqual([
      { n: 2 },
    ]);
  });

  it('says what keeps it from working, without the password', async () => {
    await enterWithDatabase();
    const wrong = await runBerth(['migrate', 'up'], { BERTH_DATABASE_PASSWORD: 'not-this-one' });
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('password authentication failed'),
    });
    expect(wrong.stderr).not.toMatch(/not-this-one|Unexpected/);
    expect(await runBerth(['migrate', 'up', '--steps', 'x'], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--steps'),
    });
    enterDirectory().write('registry.config.yaml', config);
    expect(await runBerth(['migrate', 'status'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no database block'),
    });
  });
});
