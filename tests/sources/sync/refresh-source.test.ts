import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { BundleStore } from '../../../sources/bundle/bundle-store.ts';
import { compileBundle } from '../../../sources/bundle/compile-bundle.ts';
import { type OpenBundle, openBundle } from '../../../sources/bundle/open-bundle.ts';
import type { SourceConfig } from '../../../sources/config/schema.ts';
import { createCompiler } from '../../../sources/sync/compiler.ts';
import { refreshSource } from '../../../sources/sync/refresh-source.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { catalogOf, makeJob, makeSource, Upstream } from './sync-bench.ts';

vi.mock('../../../sources/bundle/compile-bundle.ts', async (load) => {
  const real = await load<typeof import('../../../sources/bundle/compile-bundle.ts')>();
  return { ...real, compileBundle: vi.fn(real.compileBundle) };
});
beforeEach(() => {
  vi.mocked(compileBundle).mockClear();
});

function start(text = catalogOf('a.a/x', 'b.b/x')) {
  const upstream = new Upstream(text);
  const dir = makeDirectory();
  const refresh = (source: SourceConfig = makeSource()) =>
    refreshSource(makeJob(dir, source), upstream.fetch);
  const open = async (): Promise<OpenBundle> => {
    const { current = '' } = (await new BundleStore(join(dir, 'bundles')).readSource('team')) ?? {};
    const { bytes, times } = await createCompiler().load(join(dir, 'bundles'), 'team', current);
    return openBundle(bytes, current, times, 0);
  };
  const namesServed = async () => {
    const { servers } = await open();
    return Array.from({ length: servers.nameCount }, (_, index) => servers.nameAt(index));
  };
  return { upstream, dir: join(dir, 'bundles'), refresh, open, namesServed };
}

/** Every file with what would tell that it was written again. */
function look(dir: string): Record<string, string> {
  const files = readdirSync(dir).sort();
  return Object.fromEntries(
    files.map((file) => [file, `${statSync(join(dir, file)).ino} ${statSync(join(dir, file)).mtimeMs}`]),
  );
}

describe('refreshSource', () => {
  it('compiles what it fetched and makes it current', async () => {
    const { refresh, namesServed } = start();
    const { outcome, record } = await refresh();
    expect(outcome).toBe('changed');
    expect(record.bundles).toHaveLength(1);
    expect(record.bundles[0]).toMatchObject({
      hash: record.current,
      servers: 2,
      skills: 0,
      versions: 2,
      rejected: 0,
    });
    expect(await namesServed()).toEqual(['a.a/x', 'b.b/x']);
  });

  it('compiles and writes nothing while the source stays as it is', async () => {
    const { upstream, refresh, dir } = start();
    const first = await refresh();
    const before = look(dir);
    for (let times = 0; times < 3; times++)
      expect(await refresh()).toEqual({ outcome: 'unchanged', record: first.record });
    expect(upstream.contexts.map((context) => context.knownDigest)).toEqual([
      undefined,
      ...Array(3).fill(first.record.input.digest),
    ]);
    expect(compileBundle).toHaveBeenCalledTimes(1);
    expect(look(dir)).toEqual(before);
  });

  it(`${proves('C-12.3-02')} gives two builds of the same input the same files but for the manifest`, async () => {
    const [one, two] = [start(), start()];
    await one.refresh();
    await two.refresh();
    const bundles = readdirSync(one.dir).filter((file) => !file.startsWith('manifest'));
    expect(bundles).toHaveLength(1);
    expect(readdirSync(two.dir).sort()).toEqual(readdirSync(one.dir).sort());
    for (const file of bundles)
      expect(readFileSync(join(two.dir, file)).equals(readFileSync(join(one.dir, file)))).toBe(true);
  });

  it(`${proves('C-4-04')} keeps the origin of each bundle in the manifest`, async () => {
    const { upstream, refresh } = start();
    const origins = [
      { kind: 'git' as const, commit: 'c0ffee', ref: 'main', repository: 'https://git.example/r' },
      { kind: 'file' as const, url: 'https://x.example/r.json', etag: '"v1"' },
      { kind: 'file' as const, files: { 'registry.json': 'ab'.repeat(32) } },
    ];
    for (const [index, origin] of origins.entries()) {
      upstream.text = catalogOf(`a.a/x${index}`);
      upstream.origin = origin;
      await refresh();
    }
    const { record } = await refresh();
    expect(record.bundles.map((bundle) => bundle.origin)).toEqual(origins.reverse());
  });

  it(`${proves('C-3-20', 'C-12.5-03')} keeps what is served when the catalog is empty, unless that is meant`, async () => {
    const { upstream, refresh, dir, namesServed } = start();
    await refresh();
    const before = look(dir);
    for (const empty of [catalogOf(), '{"version":"1.0.0","data":{"servers":[{"name":"bad"}]}}']) {
      upstream.text = empty;
      await expect(refresh()).rejects.toMatchObject({
        code: 'catalog_empty',
        fix: expect.stringContaining('allowEmpty'),
      });
      expect(look(dir)).toEqual(before);
    }
    expect(await namesServed()).toEqual(['a.a/x', 'b.b/x']);
    upstream.text = catalogOf();
    expect(await refresh(makeSource({ allowEmpty: true }))).toMatchObject({ outcome: 'changed' });
    expect(await namesServed()).toEqual([]);
  });

  it(`${proves('C-3-21')} keeps what is served when the catalog cannot be read or fetched`, async () => {
    const { upstream, refresh, dir } = start();
    await refresh();
    const before = look(dir);
    for (const text of ['{"version":', 'no catalog', '', '[1,2]x']) {
      upstream.text = text;
      await expect(refresh()).rejects.toMatchObject({ code: expect.stringMatching(/^catalog_/) });
    }
    upstream.failure = 'The upstream does not answer.';
    await expect(refresh()).rejects.toMatchObject({ code: 'source_unreachable' });
    expect(look(dir)).toEqual(before);
    expect(compileBundle).toHaveBeenCalledTimes(1);
  });

  it(`${proves('C-12.5-01', 'C-12.5-02')} lists what it left out in the bundle: file, line, reason, duplicates too`, async () => {
    const servers = [
      '{"name":"a.a/x","version":"1.0.0","description":"One"}',
      '{"name":"a.a/x","version":"1.0.0","description":"Two"}',
      '{"name":"none","version":"1.0.0","description":"Three"}',
    ];
    const { refresh, open } = start(`{"version":"1.0.0","data":{"servers":[\n${servers.join(',\n')}\n]}}`);
    const { record } = await refresh();
    expect(record.bundles[0]).toMatchObject({ servers: 1, versions: 1, rejected: 2 });
    expect((await open()).header.rejected).toEqual([
      { file: 'registry.json', line: 3, reason: expect.stringContaining('duplicate of a.a/x@1.0.0') },
      { file: 'registry.json', line: 4, reason: expect.stringContaining('name') },
    ]);
  });

  it('compiles anew when the filter changes, and not when claims or interval do', async () => {
    const { upstream, refresh, namesServed } = start();
    await refresh();
    const other = makeSource({ claims: { org: 'acme' }, syncPolicy: { interval: '5m' } });
    expect(await refresh(other)).toMatchObject({ outcome: 'unchanged' });
    const filtered = makeSource({ filter: { names: { include: ['b.*'] } } });
    expect(await refresh(filtered)).toMatchObject({ outcome: 'changed' });
    expect(upstream.contexts.at(-1)?.knownDigest).toBeUndefined();
    expect(await namesServed()).toEqual(['b.b/x']);
    expect(await refresh(filtered)).toMatchObject({ outcome: 'unchanged' });
  });

  it(`${proves('C-5-09')} moves the times of changed versions only, over restarts`, async () => {
    const [monday, tuesday] = [Date.UTC(2026, 0, 5), Date.UTC(2026, 0, 6)];
    vi.useFakeTimers({ toFake: ['Date'], now: monday });
    onTestFinished(() => void vi.useRealTimers());
    const { upstream, refresh, open } = start(catalogOf('a.a/x', 'b.b/x'));
    await refresh();
    vi.setSystemTime(tuesday);
    upstream.text = catalogOf('a.a/x', 'b.b/x', 'b.b/x@2.0.0');
    await refresh();
    vi.setSystemTime(tuesday + 1);
    await refresh();
    const { servers, lastModified } = await open();
    const changed = Array.from({ length: 3 }, (_, row) => servers.timesOf(row).changed);
    expect(changed).toEqual([monday, tuesday, monday]);
    expect(lastModified).toBe(tuesday);
  });

  it('takes an earlier content for what it was', async () => {
    const { upstream, refresh } = start();
    const first = (await refresh()).record.current;
    upstream.text = catalogOf('c.c/x');
    const second = (await refresh()).record.current;
    upstream.text = catalogOf('a.a/x', 'b.b/x');
    const { record } = await refresh();
    expect([record.current, record.bundles.map((bundle) => bundle.hash)]).toEqual([first, [first, second]]);
  });
});
