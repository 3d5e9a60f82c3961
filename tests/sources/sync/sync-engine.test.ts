import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SourceConfig } from '../../../sources/config/schema.ts';
import { type Compiler, createCompiler } from '../../../sources/sync/compiler.ts';
import { SyncEngine } from '../../../sources/sync/sync-engine.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { catalogOf, makeSource } from './sync-bench.ts';

const engines: SyncEngine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

function start(change: (compiler: Compiler) => Partial<Compiler> = () => ({})) {
  const dir = makeDirectory();
  const compiler = createCompiler();
  const refresh = vi.fn(compiler.refresh);
  const opened: string[] = [];
  const trouble: unknown[] = [];
  const engine = new SyncEngine({
    compiler: { ...compiler, refresh, ...change(compiler) },
    baseDir: dir,
    dataDir: dir,
    bundleDir: join(dir, 'bundles'),
    maxMetaBytes: 262_144,
    allowPrivate: () => true,
    onTrouble: (source, error) => trouble.push([source, error]),
    events: {
      onBundle: (source, { servers }) =>
        opened.push(`${source.name}: ${servers.nameCount ? servers.nameAt(0) : ''}`),
      onSynced: () => undefined,
      onFailed: (source, _status, error) => trouble.push([source.name, error.code]),
    },
  });
  engines.push(engine);
  const write = (file: string, ...servers: string[]) => writeFileSync(join(dir, file), catalogOf(...servers));
  return { dir, engine, refresh, opened, trouble, write };
}

const inline = (name: string, server: string, more: object = {}): SourceConfig =>
  makeSource({ name, file: { data: catalogOf(server) }, syncPolicy: { interval: '1h' }, ...more });

describe('the sync engine', () => {
  it('has tried every source when it says so, failed ones too', async () => {
    const { engine, opened, trouble } = start();
    const missing = makeSource({ name: 'missing' });
    await engine.setSources([inline('one', 'a.a/1'), missing, inline('two', 'a.a/2')]);
    expect(opened.sort()).toEqual(['one: a.a/1', 'two: a.a/2']);
    expect(trouble).toEqual([['missing', 'source_not_found']]);
    expect(engine.get('missing')?.status).toMatchObject({ phase: 'failed', attempts: 1 });
  });

  it('takes over sources that stay as they are, claims aside, and starts those that change', async () => {
    const { engine, refresh, opened } = start();
    await engine.setSources([inline('one', 'a.a/1'), inline('two', 'a.a/2')]);
    const one = engine.get('one');
    await engine.setSources([inline('one', 'a.a/1', { claims: { org: 'acme' } }), inline('two', 'a.a/3')]);
    expect(engine.get('one')).toBe(one);
    expect(refresh.mock.calls.map(([job]) => job.source.name)).toEqual(['one', 'two', 'two']);
    expect(opened.at(-1)).toBe('two: a.a/3');
    await engine.setSources([]);
    expect(engine.get('one')).toBeUndefined();
  });

  it('lets a source that hangs delay no other', async () => {
    const { engine, opened } = start((compiler) => ({
      refresh: (job) => (job.source.name === 'slow' ? new Promise(() => undefined) : compiler.refresh(job)),
    }));
    void engine.setSources([inline('slow', 'a.a/0'), inline('one', 'a.a/1'), inline('two', 'a.a/2')]);
    await vi.waitFor(() => expect(opened.sort()).toEqual(['one: a.a/1', 'two: a.a/2']), { timeout: 5000 });
    expect(engine.get('slow')?.status.phase).toBe('syncing');
  });

  it(`${proves('C-2-23')} serves a changed file of a path within a second`, async () => {
    const { engine, opened, write } = start();
    write('registry.json', 'a.a/1');
    await engine.setSources([makeSource({ syncPolicy: { interval: '1h' } })]);
    write('registry.json', 'a.a/2');
    const changed = performance.now();
    await vi.waitFor(() => expect(opened).toEqual(['team: a.a/1', 'team: a.a/2']), {
      timeout: 5000,
      interval: 20,
    });
    expect(performance.now() - changed).toBeLessThan(1000);
  });

  it(`${proves('C-4-06')} notices a rollback another process made, and makes one itself`, async () => {
    const { engine, opened, dir, write } = start();
    write('registry.json', 'a.a/1');
    await engine.setSources([makeSource({ syncPolicy: { interval: '1h' } })]);
    write('registry.json', 'a.a/2');
    await engine.get('team')?.sync();
    await createCompiler().rollback(join(dir, 'bundles'), 'team', undefined);
    await vi.waitFor(() => expect(opened).toEqual(['team: a.a/1', 'team: a.a/2', 'team: a.a/1']), {
      timeout: 3000,
    });
    const [newest] = (await engine.readRecord('team'))?.bundles ?? [];
    await engine.rollback('team', newest?.hash);
    expect(opened.at(-1)).toBe('team: a.a/2');
    await expect(engine.rollback('team', 'abcdef0123')).rejects.toMatchObject({ code: 'bundle_unknown' });
  });
});
