import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { openBundle } from '../../../sources/bundle/open-bundle.ts';
import { createWorkerCompiler } from '../../../sources/sync/worker-compiler.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { catalogOf, makeJob, makeSource } from './sync-bench.ts';

async function start() {
  const dir = makeDirectory();
  const script = join(dir, 'compile-worker.cjs');
  const worker = new URL('../../../sources/sync/compile-worker.ts', import.meta.url).pathname;
  await build({
    entryPoints: [worker],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  });
  const compiler = createWorkerCompiler(pathToFileURL(script));
  onTestFinished(() => compiler.close());
  return { dir, compiler };
}

it('compiles, loads and rolls back in a thread of its own, errors coming through with code, place and fix', async () => {
  const { dir, compiler } = await start();
  const source = (server: string) => makeSource({ file: { data: catalogOf(server) } });
  const first = await compiler.refresh(makeJob(dir, source('a.a/1')));
  const [second, third] = await Promise.all([
    compiler.refresh(makeJob(dir, source('a.a/2'))),
    compiler.refresh(makeJob(dir, makeSource({ name: 'other', file: { data: catalogOf('b.b/1') } }))),
  ]);
  expect([first.outcome, second.outcome, third.outcome]).toEqual(['changed', 'changed', 'changed']);
  const bundles = join(dir, 'bundles');
  const { bytes, times } = await compiler.load(bundles, 'team', second.record.current);
  expect(openBundle(bytes, second.record.current, times, 0).servers.nameAt(0)).toBe('a.a/2');
  expect((await compiler.rollback(bundles, 'team', undefined)).current).toBe(first.record.current);
  await expect(compiler.rollback(bundles, 'team', 'abcdef')).rejects.toMatchObject({
    name: 'BerthError',
    code: 'bundle_unknown',
    fix: expect.stringContaining('Known:'),
  });
  await expect(compiler.load(bundles, 'team', 'ab'.repeat(32))).rejects.toMatchObject({
    code: 'bundle_missing',
    at: { file: expect.stringMatching(/^bundles\/team-/) },
  });
});

it('fails the work of a thread that dies, and starts another for the next', async () => {
  const { dir, compiler } = await start();
  const working = compiler.refresh(makeJob(dir, makeSource({ file: { data: catalogOf('a.a/1') } })));
  await Promise.all([
    expect(working).rejects.toMatchObject({ code: 'compile_worker_ended' }),
    compiler.close(),
  ]);
  const again = await compiler.refresh(makeJob(dir, makeSource({ file: { data: catalogOf('a.a/1') } })));
  expect(again.record.bundles).toHaveLength(1);
});
