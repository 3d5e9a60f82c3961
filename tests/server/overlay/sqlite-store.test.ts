import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteStore } from '../../../server/overlay/sqlite-store.ts';
import { proves } from '../../requirements/proves.ts';
import { readStormRounds } from '../../support/storm-rounds.ts';
import { runKillStorm } from './kill-storm.ts';
import { describeStore, makeStored } from './store-contract.ts';
import { makeDataDirectory, openStore } from './temporary-store.ts';

const KEY = { source: 'main', type: 'server', name: 'io.example/one' } as const;

describeStore('the SQLite store', () => openStore());

describe('the SQLite store and its directory', () => {
  it(`${proves('C-2-57')} makes the directory 0700 and its files 0600`, async () => {
    const directory = makeDataDirectory();
    const store = await openStore(directory);
    await store.insertVersion(KEY, makeStored('1.0.0'), {});
    const mode = (file: string) => (statSync(join(directory.path, file)).mode & 0o777).toString(8);
    expect([mode('.'), mode('overlay.db'), mode('overlay.db-wal'), mode('overlay.lock')]).toEqual([
      '700',
      '600',
      '600',
      '600',
    ]);
  });

  it('refuses a second opening, names the directory as configured, and lets one in after it is closed', async () => {
    const directory = makeDataDirectory();
    const first = await SqliteStore.open(directory);
    await expect(SqliteStore.open(directory)).rejects.toMatchObject({
      code: 'overlay_locked',
      message: expect.stringContaining('./data'),
      fix: expect.stringContaining('dataDir'),
    });
    await first.insertVersion(KEY, makeStored('1.0.0'), {});
    await first.close();
    const second = await openStore(directory);
    expect(await second.readEntry(KEY)).toBeDefined();
  });

  it('stays readable for other commands while it is served', async () => {
    const directory = makeDataDirectory();
    const store = await openStore(directory);
    await store.insertVersion(KEY, makeStored('1.0.0'), {});
    const script =
      "const D = require('libsql'); console.log(new D(process.argv[1]).prepare('SELECT count(*) AS n FROM versions').get().n)";
    const reader = spawnSync(process.execPath, ['-e', script, join(directory.path, 'overlay.db')], {
      encoding: 'utf8',
    });
    expect(reader.stdout.trim()).toBe('1');
  });

  it('says what is wrong with a data directory it cannot use', async () => {
    const directory = makeDataDirectory();
    writeFileSync(directory.path, 'a file');
    await expect(SqliteStore.open(directory)).rejects.toMatchObject({
      code: 'data_dir_unusable',
      message: expect.stringContaining('./data'),
    });
  });

  it('refuses a damaged overlay and one of a newer program, and lets go of the lock', async () => {
    const damaged = makeDataDirectory();
    mkdirSync(damaged.path);
    writeFileSync(join(damaged.path, 'overlay.db'), 'this is no database '.repeat(500));
    await expect(SqliteStore.open(damaged)).rejects.toMatchObject({ code: 'overlay_damaged' });
    await expect(SqliteStore.open(damaged)).rejects.toMatchObject({ code: 'overlay_damaged' });

    const newer = makeDataDirectory();
    await (await SqliteStore.open(newer)).close();
    const raw = new Database(join(newer.path, 'overlay.db'));
    raw.exec('UPDATE schema_version SET version = 99');
    raw.close();
    await expect(SqliteStore.open(newer)).rejects.toMatchObject({ code: 'overlay_too_new' });
  });

  it(`${proves('C-12.16-02')} answers 503 while its file is away, and goes on when it is back`, async () => {
    const directory = makeDataDirectory();
    const store = await openStore(directory);
    const file = join(directory.path, 'overlay.db');
    renameSync(file, `${file}.away`);
    const refused = {
      status: 503,
      code: 'store_unavailable',
      headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
    };
    await expect(store.insertVersion(KEY, makeStored('1.0.0'), {})).rejects.toMatchObject(refused);
    await expect(store.probe()).rejects.toMatchObject(refused);
    renameSync(`${file}.away`, file);
    await store.probe();
    expect(await store.insertVersion(KEY, makeStored('1.0.0'), {})).toBe('stored');
  });

  it(`${proves('C-6-78')} lets one bad change fail alone among those it shares a transaction with`, async () => {
    const store = await openStore();
    const bad = makeStored('1.0.0', { updatedAt: Number.NaN });
    const outcomes = await Promise.allSettled([
      store.insertVersion({ ...KEY, name: 'io.example/a' }, makeStored('1.0.0'), {}),
      store.insertVersion({ ...KEY, name: 'io.example/b' }, bad, {}),
      store.insertVersion({ ...KEY, name: 'io.example/c' }, makeStored('1.0.0'), {}),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await store.loadEntries()).map(({ name }) => name)).toEqual(['io.example/a', 'io.example/c']);
    // Nothing of the entry is left either: it may come with other claims.
    const other = await store.insertVersion({ ...KEY, name: 'io.example/b' }, makeStored('1.0.0'), {
      org: 'other',
    });
    expect(other).toBe('stored');
  });
});

function startChild(script: string, args: readonly string[], shell?: string): ChildProcessWithoutNullStreams {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const command = [process.execPath, '--import', 'tsx', file, ...args];
  const child = shell
    ? spawn('sh', ['-c', `${shell} exec "$@"`, 'sh', ...command])
    : spawn(process.execPath, command.slice(1));
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe('another process', () => {
  it(
    `${proves('C-10-07')} is refused the store that is served, and told why`,
    { timeout: 30_000 },
    async () => {
      const directory = makeDataDirectory();
      const store = await openStore(directory);
      const child = startChild('./publish-storm.ts', [directory.path, '1']);
      const said = { output: '', errors: '' };
      child.stdout.on('data', (chunk) => {
        said.output += chunk;
        child.kill('SIGKILL');
      });
      child.stderr.on('data', (chunk) => {
        said.errors += chunk;
      });
      const [code] = await once(child, 'close');
      expect([code, said.output]).toEqual([1, '']);
      expect(said.errors).toContain('overlay_locked');
      expect(said.errors).toContain(
        `Another berth process serves from the data directory ${directory.path}.`,
      );
      await store.insertVersion(KEY, makeStored('1.0.0'), {});
      expect(await store.loadEntries()).toHaveLength(1);
    },
  );
});

describe('a crash', () => {
  const rounds = readStormRounds(50);

  it(
    `${proves('C-6-79')} loses nothing that was answered, leaves nothing half-written and releases the lock, ${rounds} times over`,
    { timeout: 30_000 + rounds * 5000 },
    async () => {
      const directory = makeDataDirectory();
      const readAll = async () => {
        const store = await SqliteStore.open(directory);
        const entries = await store.loadEntries();
        await store.close();
        return entries;
      };
      const { answered, kept } = await runKillStorm({
        script: './publish-storm.ts',
        args: [directory.path],
        rounds,
        readAll,
      });
      expect(answered).toBeGreaterThanOrEqual(rounds);
      expect(kept).toBeGreaterThanOrEqual(answered);
      const raw = new Database(join(directory.path, 'overlay.db'));
      expect(raw.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
      expect(raw.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
      raw.close();
    },
  );
});

const canLimit = spawnSync('prlimit', ['--version']).status === 0;

describe('a full disk', () => {
  it.skipIf(!canLimit)(
    `${proves('C-12.16-02')} answers 503, keeps what it had, and recovers without a restart`,
    { timeout: 60_000 },
    async () => {
      const directory = makeDataDirectory();
      // The limit on the size of files stands for the disk; it is lifted from outside.
      const child = startChild('./fill-store.ts', [directory.path], "trap '' XFSZ; ulimit -S -f 3000;");
      let errors = '';
      child.stderr.on('data', (chunk) => {
        errors += chunk;
      });
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      const full = JSON.parse(String((await lines.next()).value ?? 'null'));
      expect(errors).toBe('');
      expect(full.answer).toMatch(/^503 store_unavailable retry-after=\d+$/);
      expect(full.stored).toBeGreaterThan(10);
      expect(full.readable).toBe(full.stored);
      expect(full.trouble).toHaveLength(1);
      spawnSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited:unlimited']);
      child.stdin.write('go on\n');
      const after = JSON.parse(String((await lines.next()).value ?? 'null'));
      expect(after).toEqual({ again: 'stored', trouble: [] });
      await once(child, 'exit');
      const store = await openStore(directory);
      expect(await store.loadEntries()).toHaveLength(full.stored + 1);
    },
  );
});
