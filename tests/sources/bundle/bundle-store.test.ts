import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { BundleStore } from '../../../sources/bundle/bundle-store.ts';
import { hashBundle } from '../../../sources/bundle/format.ts';
import { type BundleRecord, recordBundle } from '../../../sources/bundle/manifest.ts';
import { startTimes } from '../../../sources/bundle/times.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { countUp } from './count-record.ts';

const bytesOf = (text: string) => Buffer.from(text.padEnd(64));
const input = { digest: 'd', settings: 's' };

function recordOf(hash: string): BundleRecord {
  const counts = { servers: 1, skills: 0, versions: 1, rejected: 0, bytes: 64 };
  return { hash, builtAt: '2026-01-01T00:00:00.000Z', origin: { kind: 'file' }, ...counts };
}

async function add(store: BundleStore, source: string, text: string): Promise<string> {
  const hash = await store.writeBundle(source, bytesOf(text));
  await store.updateSource(source, (before) => recordBundle(before, recordOf(hash), input));
  return hash;
}

describe('the bundle store', () => {
  it('is empty before anything was stored', async () => {
    const store = new BundleStore(join(makeDirectory(), 'not', 'there'));
    expect(await store.readManifest()).toEqual({ version: 1, sources: {} });
    expect(await store.readSource('s')).toBeUndefined();
    expect(await store.readTimes('s', 'ab'.repeat(32), 1)).toBeUndefined();
    expect(await store.manifestChangedAt()).toBe(0);
  });

  it(`${proves('C-4-03')} keeps the current bundle and four before it, newest first, and no file of any other`, async () => {
    const store = new BundleStore(makeDirectory());
    await add(store, 's-other', 'other');
    const hashes: string[] = [];
    for (const text of ['1', '2', '3', '4', '5', '6', '7']) hashes.unshift(await add(store, 's', text));
    const kept = hashes.slice(0, 5);
    const record = await store.readSource('s');
    expect(record?.current).toBe(hashes[0]);
    expect(record?.bundles.map((bundle) => bundle.hash)).toEqual(kept);
    const files = readdirSync(store.dir).filter(
      (file) => file.startsWith('s-') && !file.startsWith('s-other'),
    );
    expect(files.sort()).toEqual(kept.map((hash) => `s-${hash}.bundle`).sort());
    expect((await store.readSource('s-other'))?.bundles).toHaveLength(1);
    await add(store, 's', '5');
    expect((await store.readSource('s'))?.bundles.map((bundle) => bundle.hash)).toEqual([
      hashBundle(bytesOf('5')),
      ...kept.filter((hash) => hash !== hashBundle(bytesOf('5'))),
    ]);
  });

  it('forgets a source with its bundles', async () => {
    const store = new BundleStore(makeDirectory());
    await add(store, 's', '1');
    expect(await store.updateSource('s', () => undefined)).toBeUndefined();
    expect(readdirSync(store.dir)).toEqual(['manifest.json']);
  });

  it('does not take away a bundle another process has written but not named yet', async () => {
    const dir = makeDirectory();
    const [one, other] = [new BundleStore(dir), new BundleStore(dir)];
    const hash = await one.writeBundle('s', bytesOf('1'));
    await add(other, 's', '2');
    await one.updateSource('s', (before) => recordBundle(before, recordOf(hash), input));
    expect(Buffer.from(await one.readBundle('s', hash))).toEqual(bytesOf('1'));
  });

  it('takes away what a process that died has left', async () => {
    const store = new BundleStore(makeDirectory());
    const file = join(store.dir, `s-${await store.writeBundle('s', bytesOf('1'))}.bundle`);
    const long = new Date(Date.now() - 120_000);
    utimesSync(file, long, long);
    const hash = await add(store, 's', '2');
    expect(readdirSync(store.dir).sort()).toEqual(['manifest.json', `s-${hash}.bundle`]);
  });

  it(`${proves('C-12.3-01')} names the file of a bundle by its hash and keeps everything to its user`, async () => {
    const store = new BundleStore(join(makeDirectory(), 'bundles'));
    const hash = await add(store, 's', '1');
    await store.writeTimes('s', hash, startTimes(1, 5));
    expect(readdirSync(store.dir).sort()).toEqual(['manifest.json', 'manifest.s.times', `s-${hash}.bundle`]);
    expect(hash).toBe(hashBundle(readFileSync(join(store.dir, `s-${hash}.bundle`))));
    expect(statSync(store.dir).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(store.dir))
      expect(statSync(join(store.dir, file)).mode & 0o777).toBe(0o600);
    expect(await store.readTimes('s', hash, 1)).toEqual(startTimes(1, 5));
  });

  it(`${proves('C-4-02')} never shows a part of a bundle under its name, and leaves nothing else behind`, async () => {
    const store = new BundleStore(makeDirectory());
    const bytes = randomBytes(24 * 1024 * 1024);
    const seen = new Set<string>();
    let done = false;
    const writing = store.writeBundle('s', bytes).finally(() => {
      done = true;
    });
    while (!done) {
      for (const file of await readdir(store.dir)) {
        seen.add(file.startsWith('.s-') ? 'temporary' : file);
        if (file.endsWith('.bundle')) expect((await stat(join(store.dir, file))).size).toBe(bytes.length);
      }
    }
    const name = `s-${await writing}.bundle`;
    expect(seen).toContain('temporary');
    expect([...seen].filter((file) => file !== 'temporary' && file !== name)).toEqual([]);
    expect(readdirSync(store.dir)).toEqual([name]);
  });

  it('writes a bundle it holds already no second time, unless it is damaged', async () => {
    const store = new BundleStore(makeDirectory());
    const hash = await add(store, 's', '1');
    const file = join(store.dir, `s-${hash}.bundle`);
    const inode = statSync(file).ino;
    await store.writeBundle('s', bytesOf('1'));
    expect(statSync(file).ino).toBe(inode);
    writeFileSync(file, bytesOf('2'));
    await store.writeBundle('s', bytesOf('1'));
    expect(readFileSync(file)).toEqual(bytesOf('1'));
  });

  it(`${proves('C-4-09', 'C-4-10')} refuses a bundle that is cut off, changed or gone`, async () => {
    const store = new BundleStore(makeDirectory());
    const hash = await add(store, 's', '1');
    const file = join(store.dir, `s-${hash}.bundle`);
    writeFileSync(file, bytesOf('2'));
    await expect(store.readBundle('s', hash)).rejects.toMatchObject({ code: 'bundle_tampered' });
    writeFileSync(file, bytesOf('1'));
    expect(Buffer.from(await store.readBundle('s', hash))).toEqual(bytesOf('1'));
    truncateSync(file, 60);
    await expect(store.readBundle('s', hash)).rejects.toMatchObject({ code: 'bundle_tampered' });
    await expect(store.readBundle('s', 'ab'.repeat(32))).rejects.toMatchObject({ code: 'bundle_missing' });
  });

  it('says what is wrong with a damaged manifest, without a path of the host', async () => {
    const store = new BundleStore(makeDirectory());
    for (const text of ['', '{', '{"version":2,"sources":{}}', '[]']) {
      writeFileSync(join(store.dir, 'manifest.json'), text);
      const failure = await store.readManifest().catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'store_unreadable', at: { file: 'bundles/manifest.json' } });
      expect(String(failure)).not.toContain(store.dir);
    }
  });

  it('reports a directory that cannot be written', async () => {
    const blocked = join(makeDirectory(), 'file');
    writeFileSync(blocked, '');
    const store = new BundleStore(join(blocked, 'bundles'));
    await expect(store.writeBundle('s', bytesOf('1'))).rejects.toMatchObject({ code: 'store_write_failed' });
    await expect(store.updateSource('s', countUp)).rejects.toMatchObject({ code: 'store_write_failed' });
  });

  it('takes over the lock of a process that died', async () => {
    const store = new BundleStore(makeDirectory());
    const lock = join(store.dir, '.lock');
    writeFileSync(lock, '');
    const long = new Date(Date.now() - 60_000);
    utimesSync(lock, long, long);
    expect((await store.updateSource('s', countUp))?.input.digest).toBe('1');
    expect(readdirSync(store.dir)).toEqual(['manifest.json']);
  });

  it('loses no change of two processes that write at the same time', async () => {
    const dir = makeDirectory();
    const script = fileURLToPath(new URL('./count-up.ts', import.meta.url));
    const run = (own: string) =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', script, dir, own, '25']);
    await Promise.all([run('one'), run('two')]);
    const { sources } = await new BundleStore(dir).readManifest();
    const counted = Object.entries(sources).map(([name, record]) => [name, record.input.digest]);
    expect(counted).toEqual([
      ['one', '25'],
      ['shared', '50'],
      ['two', '25'],
    ]);
  });
});
