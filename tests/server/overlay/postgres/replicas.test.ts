import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Overlay } from '../../../../server/overlay/overlay.ts';
import type { EntryKey } from '../../../../server/overlay/overlay-store.ts';
import type { DatabaseConfig } from '../../../../server/overlay/postgres/connection-settings.ts';
import type { OverlayChange } from '../../../../server/overlay/postgres/overlay-change.ts';
import type { PostgresStore } from '../../../../server/overlay/postgres/postgres-store.ts';
import type { SharedBundle } from '../../../../server/overlay/postgres/replica-link.ts';
import { hashBundle } from '../../../../sources/bundle/format.ts';
import { proves } from '../../../requirements/proves.ts';
import { makeStored } from '../store-contract.ts';
import { openPostgresStore, PASSWORD, TestPostgres } from './start-postgres.ts';
import { waitUntil } from './wait-until.ts';

const KEY: EntryKey = { source: 'main', type: 'server', name: 'io.example/one' };

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await TestPostgres.start();
});
afterAll(() => postgres.close());

interface Heard {
  readonly changes: OverlayChange[];
  gaps: number;
}

function listen(store: PostgresStore): Heard {
  const heard: Heard = { changes: [], gaps: 0 };
  store.replicas.listenForChanges({
    onChange: (change) => void heard.changes.push(change),
    onGap: () => {
      heard.gaps += 1;
    },
  });
  return heard;
}

function logRow(name: string): string {
  return `INSERT INTO berth_changes (origin, kind, source, type, name) VALUES ('other', 'entry', 'main', 'server', '${name}')`;
}

describe('changes of other processes', () => {
  it(`${proves('C-10-01')} are told within a second, own ones never`, async () => {
    const config = await postgres.createDatabase();
    const [writer, reader] = [await openPostgresStore(config), await openPostgresStore(config)];
    const [own, heard] = [listen(writer), listen(reader)];
    const entry = { kind: 'entry', ...KEY };
    const steps: [() => Promise<unknown>, object][] = [
      [() => writer.insertVersion(KEY, makeStored('1.0.0'), {}), entry],
      [
        () => writer.updateStatus(KEY, '1.0.0', { status: 'deleted', statusMessage: undefined, at: 5 }),
        entry,
      ],
      [() => writer.replaceClaims(KEY, { claims: { a: 'b' }, claimsChangedAt: 6 }), entry],
      [() => writer.deleteVersion(KEY, '1.0.0'), entry],
      [() => writer.putRecord('source', 'a', '{}'), { kind: 'record', type: 'source', name: 'a' }],
      [() => writer.deleteRecord('source', 'a'), { kind: 'record', type: 'source', name: 'a' }],
      [() => writer.insertVersion(KEY, makeStored('1.0.0'), {}), entry],
      [() => writer.deleteEntries('main'), { kind: 'source', source: 'main' }],
    ];
    for (const [index, [change, told]] of steps.entries()) {
      await change();
      expect(await waitUntil(() => heard.changes.length > index, 2000)).toBeLessThan(1000);
      expect(heard.changes[index]).toEqual(told);
    }
    // Nothing that changed nothing is told: the next thing heard is the last change made here.
    await writer.deleteEntries('main');
    await writer.deleteVersion(KEY, '1.0.0');
    await writer.putRecord('last', 'x', '{}');
    await waitUntil(() => heard.changes.length > steps.length, 2000);
    expect(heard.changes.at(steps.length)).toEqual({ kind: 'record', type: 'last', name: 'x' });
    expect([own.changes, own.gaps, heard.gaps]).toEqual([[], 0, 0]);
  });

  it('wake others at once', async () => {
    const config = await postgres.createDatabase();
    const store = await openPostgresStore(config);
    const listener = await postgres.connect(config.database);
    onTestFinished(() => listener.end());
    const woken: string[] = [];
    listener.on('notification', ({ channel }) => woken.push(channel));
    await listener.query('LISTEN berth_changes');
    await store.putRecord('a', '1', '{}');
    await waitUntil(() => woken.length === 1, 2000);
    await store.deleteRecord('a', 'none');
    await store.deleteEntries('none');
    await store.replicas.bundles.drop('main');
    await listener.query('SELECT 1');
    expect(woken).toEqual(['berth_changes']);
  });

  it('reach the memory of the others', async () => {
    const config = await postgres.createDatabase();
    const [first, second] = [await openPostgresStore(config), await openPostgresStore(config)];
    const [writer, reader] = [await Overlay.open(first), await Overlay.open(second)];
    second.replicas.listenForChanges({
      onChange: (change) => (change.kind === 'entry' ? reader.refresh(change) : undefined),
      onGap: () => {
        throw new Error('nothing was missed');
      },
    });
    const body = { name: KEY.name, version: '1.0.0' };
    await writer.publish(
      'main',
      { type: 'server', name: KEY.name, version: '1.0.0', body, status: 'active', tags: [], tools: [] },
      { org: 'acme' },
    );
    await waitUntil(() => reader.segmentOf('main').servers.nameCount === 1, 1000);
    expect(reader.readClaims(KEY)).toEqual({ org: 'acme' });
    await writer.deleteVersion(KEY, '1.0.0');
    await waitUntil(() => reader.segmentOf('main').servers.nameCount === 0, 1000);
  });

  it('that were committed between opening and listening are told', async () => {
    const config = await postgres.createDatabase();
    const [writer, reader] = [await openPostgresStore(config), await openPostgresStore(config)];
    await writer.insertVersion(KEY, makeStored('1.0.0'), {});
    const heard = listen(reader);
    await waitUntil(() => heard.changes.length === 1, 2000);
  });

  it(`${proves('C-10-02')} are found without a notification`, async () => {
    const config = await postgres.createDatabase();
    const heard = listen(await openPostgresStore(config));
    await postgres.run(config.database, logRow('io.example/quiet'));
    expect(await waitUntil(() => heard.changes.length === 1, 2000)).toBeLessThan(1500);
  });

  it('are told when they commit after one with a higher number', async () => {
    const config = await postgres.createDatabase();
    const slow = await postgres.connect(config.database);
    onTestFinished(() => slow.end());
    const early = await openPostgresStore(config);
    await slow.query('BEGIN');
    await slow.query(logRow('io.example/slow'));
    await postgres.run(config.database, logRow('io.example/fast'));
    // One process listens before, another one opens the store, after the higher number was committed.
    const heard = listen(early);
    await waitUntil(() => heard.changes.length === 1, 2000);
    const late = listen(await openPostgresStore(config));
    await slow.query('COMMIT');
    await waitUntil(() => heard.changes.length === 2 && late.changes.length === 1, 2000);
    expect(heard.changes.map((change) => change.kind === 'entry' && change.name)).toEqual([
      'io.example/fast',
      'io.example/slow',
    ]);
    expect(late.changes).toMatchObject([{ name: 'io.example/slow' }]);
  });

  it('made while the connection was away are told after it, and nothing counts as missed', async () => {
    const config = await postgres.createDatabase();
    const [writer, reader] = [await openPostgresStore(config), await openPostgresStore(config)];
    const heard = listen(reader);
    await writer.putRecord('a', '1', '{}');
    await waitUntil(() => heard.changes.length === 1, 2000);
    await postgres.endSessions(config.database);
    await postgres.run(config.database, logRow('io.example/meanwhile'));
    expect(await waitUntil(() => heard.changes.length === 2, 4000)).toBeLessThan(3000);
    await writer.putRecord('a', '3', '{}');
    expect(await waitUntil(() => heard.changes.length === 3, 2000)).toBeLessThan(1000);
    expect(heard.gaps).toBe(0);
  });

  it('are known to be missed when the database lost its newest rows', async () => {
    const config = await postgres.createDatabase();
    const [writer, reader] = [await openPostgresStore(config), await openPostgresStore(config)];
    const heard = listen(reader);
    await writer.putRecord('a', '1', '{}');
    await waitUntil(() => heard.changes.length === 1, 2000);
    // What a fail-over to a stand-by that lagged behind looks like: the same number again, for another change.
    await postgres.run(config.database, 'TRUNCATE berth_changes RESTART IDENTITY');
    await postgres.run(config.database, logRow('io.example/other'));
    await postgres.endSessions(config.database);
    await waitUntil(() => heard.gaps === 1, 4000);
    await writer.putRecord('a', '2', '{}');
    await waitUntil(() => heard.changes.length === 2, 2000);
    expect(heard.changes[1]).toMatchObject({ name: '2' });
  });

  it('are told again while the handler fails', async () => {
    const config = await postgres.createDatabase();
    const [writer, reader] = [await openPostgresStore(config), await openPostgresStore(config)];
    let calls = 0;
    reader.replicas.listenForChanges({
      onChange: async () => {
        if (++calls < 3) throw new Error('the store is away');
      },
      onGap: () => {},
    });
    await writer.putRecord('a', '1', '{}');
    await waitUntil(() => calls === 3, 4000);
  });

  it('keep their log short', async () => {
    const config = await postgres.createDatabase();
    const store = await openPostgresStore(config);
    await store.putRecord('a', '1', '{}');
    await store.putRecord('a', '2', '{}');
    await postgres.run(config.database, "UPDATE berth_changes SET at = at - interval '61 minutes'");
    await store.putRecord('a', '3', '{}');
    await store.replicas.pruneChanges();
    expect(await postgres.run(config.database, 'SELECT name FROM berth_changes')).toEqual([{ name: '3' }]);
  });
});

describe('locks on sources', () => {
  it(`${proves('C-10-03')} are held by one process at a time`, async () => {
    const config = await postgres.createDatabase();
    const [first, second] = [await openPostgresStore(config), await openPostgresStore(config)];
    const lock = await first.replicas.tryLockSource('catalog');
    expect(lock?.lost.aborted).toBe(false);
    expect(await second.replicas.tryLockSource('catalog')).toBeUndefined();
    expect(await first.replicas.tryLockSource('catalog')).toBeUndefined();
    const other = await second.replicas.tryLockSource('other');
    expect(other).toBeDefined();
    await lock?.release();
    await lock?.release();
    expect(await second.replicas.tryLockSource('catalog')).toBeDefined();
    expect(lock?.lost.aborted).toBe(false);
  });

  it('are taken over when the holder is gone, and not because a clock jumps', async () => {
    const config = await postgres.createDatabase();
    const [first, second] = [await openPostgresStore(config), await openPostgresStore(config)];
    const lock = await first.replicas.tryLockSource('catalog');
    const today = Date.now();
    onTestFinished(() => void vi.useRealTimers());
    for (const days of [1, -1, 365, -365]) {
      vi.useFakeTimers({ toFake: ['Date'], now: today + days * 86_400_000 });
      expect(await second.replicas.tryLockSource('catalog')).toBeUndefined();
      expect(lock?.lost.aborted).toBe(false);
    }
    await lock?.release();
    expect(await second.replicas.tryLockSource('catalog')).toBeDefined();
  });

  it('go to one of many that ask at once', async () => {
    const config = await postgres.createDatabase();
    const stores = [await openPostgresStore(config), await openPostgresStore(config)];
    const locks = await Promise.all(
      Array.from({ length: 20 }, (_, index) => stores[index % 2]?.replicas.tryLockSource('catalog')),
    );
    expect(locks.filter(Boolean)).toHaveLength(1);
  });

  it('are known to be lost when the connection breaks, and can be taken again', async () => {
    const config = await postgres.createDatabase();
    const store = await openPostgresStore(config);
    const lock = await store.replicas.tryLockSource('catalog');
    await postgres.endSessions(config.database);
    await waitUntil(() => lock?.lost.aborted === true, 2000);
    const again = await store.replicas.tryLockSource('catalog');
    expect(again?.lost.aborted).toBe(false);
    await lock?.release();
    expect(await store.replicas.tryLockSource('catalog')).toBeUndefined();
  });

  it.each([
    ['SIGKILL', 'ends'],
    ['SIGSTOP', 'hangs'],
  ] as const)(`${proves('C-10-04', 'C-12.16-06')} are free within 10 s after %s: the holder %s`, async (signal, _does) => {
    const config = await postgres.createDatabase();
    const store = await openPostgresStore(config);
    const child = startHolder(config);
    const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    expect(String(line)).toBe('held\n');
    expect(await store.replicas.tryLockSource('catalog')).toBeUndefined();
    child.kill(signal);
    const took = await waitUntil(
      async () => (await store.replicas.tryLockSource('catalog')) !== undefined,
      15_000,
    );
    expect(took).toBeLessThan(10_000);
  });

  function startHolder({ port, database, user }: DatabaseConfig) {
    const script = fileURLToPath(new URL('./hold-source.ts', import.meta.url));
    const url = `postgres://${user}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}?sslmode=disable`;
    const child = spawn(process.execPath, ['--import', 'tsx', script, url, 'catalog']);
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }
});

describe('bundles', () => {
  function makeBundle(source: string, content: string): SharedBundle {
    const bytes = Buffer.from(content.repeat(1000));
    const hash = hashBundle(bytes);
    const record = {
      hash,
      builtAt: '2026-01-01T00:00:00.000Z',
      origin: { kind: 'git' as const, commit: content },
      servers: 1,
      skills: 0,
      versions: 1,
      rejected: 0,
      bytes: bytes.byteLength,
    };
    return {
      source,
      hash,
      bytes,
      times: new Uint8Array([1, 2, 3]),
      record,
      input: { digest: content, settings: 's' },
    };
  }

  it(`${proves('C-10-05')} reach the others by their hash`, async () => {
    const config = await postgres.createDatabase();
    const [writer, reader] = [await openPostgresStore(config), await openPostgresStore(config)];
    const heard = listen(reader);
    const bundle = makeBundle('catalog', 'one');
    await writer.replicas.bundles.put(bundle);
    await waitUntil(() => heard.changes.length === 1, 1000);
    expect(heard.changes).toEqual([{ kind: 'bundle', source: 'catalog' }]);
    const { bundles } = reader.replicas;
    expect(await bundles.listCurrent()).toEqual([
      { source: 'catalog', hash: bundle.hash, input: bundle.input, mark: expect.any(String) },
    ]);
    const got = await bundles.get('catalog', bundle.hash);
    expect(got && Buffer.compare(got.bytes, bundle.bytes)).toBe(0);
    expect([got?.times, got?.record]).toEqual([new Uint8Array([1, 2, 3]), bundle.record]);
    expect((got?.bytes.byteOffset ?? 1) % 8).toBe(0);
    expect(await bundles.get('catalog', 'f'.repeat(64))).toBeUndefined();
  });

  it('are kept as far back as on a disk, and can be gone back to', async () => {
    const { bundles } = (await openPostgresStore(await postgres.createDatabase())).replicas;
    const made = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((content) => makeBundle('catalog', content));
    for (const bundle of made) await bundles.put(bundle);
    const newest = made.slice(-5).toReversed();
    expect(await bundles.listRecords('catalog')).toEqual(newest.map(({ record }) => record));
    const [, , back] = newest;
    const before = await bundles.findCurrent('catalog');
    const times = new Uint8Array([4, 5]);
    const after = await bundles.setCurrent('catalog', back?.hash ?? '', times);
    expect([before?.hash, after?.hash, after?.input]).toEqual([newest[0]?.hash, back?.hash, before?.input]);
    expect(after?.mark).not.toBe(before?.mark);
    expect(await bundles.listCurrent()).toEqual([after]);
    expect((await bundles.get('catalog', back?.hash ?? ''))?.times).toEqual(times);
    expect(await bundles.listRecords('catalog')).toEqual(newest.map(({ record }) => record));
    expect(await bundles.setCurrent('catalog', made[0]?.hash ?? '', times)).toBeUndefined();
    expect(await bundles.findCurrent('other')).toBeUndefined();
    await bundles.drop('catalog');
    expect([await bundles.listCurrent(), await bundles.listRecords('catalog')]).toEqual([[], []]);
  });

  it('that were changed are not given out', async () => {
    const config = await postgres.createDatabase();
    const { bundles } = (await openPostgresStore(config)).replicas;
    const bundle = makeBundle('catalog', 'one');
    await bundles.put(bundle);
    await postgres.run(config.database, "UPDATE berth_bundles SET bytes = bytes || 'x'::bytea");
    await expect(bundles.get('catalog', bundle.hash)).rejects.toMatchObject({ code: 'bundle_tampered' });
  });
});
