import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BundleStore } from '../../sources/bundle/bundle-store.ts';
import { proves } from '../requirements/proves.ts';
import { makeRepository } from '../sources/kinds/git-repository.ts';
import { runBerth } from './run-berth.ts';
import {
  enterDirectory,
  fileSource,
  gitSource,
  listServers,
  makeConfig,
  makeServerJson,
} from './working-directory.ts';

const ONE = makeServerJson('io.x/one');

function enterWithSource() {
  const dir = enterDirectory();
  dir.write('a.json', listServers(ONE, makeServerJson('io.x/one', '2.0.0'), makeServerJson('io.x/two')));
  dir.write('registry.config.yaml', makeConfig([fileSource('a', 'a.json')]));
  return dir;
}

describe('berth build', () => {
  it(`${proves('C-1-07', 'C-1-10', 'C-12.2-03')} compiles file and git sources, one line each`, async () => {
    const dir = enterWithSource();
    const repository = makeRepository();
    await repository.commit({ 'registry.json': listServers(ONE) });
    dir.write(
      'registry.config.yaml',
      makeConfig([fileSource('a', 'a.json'), gitSource('g', repository.path)]),
    );
    const { code, lines } = await runBerth(['build']);
    expect(code).toBe(0);
    const { sources } = await new BundleStore('data/bundles').readManifest();
    const row = (name: string) => lines.filter((line) => line.startsWith(`${name} `));
    const hash = (name: string) => sources[name]?.current.slice(0, 12);
    expect(row('a')).toEqual([
      expect.stringMatching(new RegExp(`^a +2 +3 +0 +[\\d.]+ kB +[\\d.]+m?s +${hash('a')} +changed$`)),
    ]);
    expect(row('g')).toEqual([
      expect.stringMatching(new RegExp(`^g +1 +1 +0 +[\\d.]+ kB +[\\d.]+m?s +${hash('g')} +changed$`)),
    ]);
    expect(sources.g?.bundles[0]?.origin).toMatchObject({ kind: 'git' });
  });

  it('says that nothing changed the second time, with the same hash', async () => {
    enterWithSource();
    const report = async () => JSON.parse((await runBerth(['build', '--format', 'json'])).stdout).sources[0];
    const first = await report();
    expect(first).toMatchObject({
      source: 'a',
      outcome: 'changed',
      entries: 2,
      versions: 3,
      rejectedCount: 0,
    });
    expect(await report()).toMatchObject({ outcome: 'unchanged', hash: first.hash });
  });

  it(`${proves('C-1-09')} writes a store of its own with --out`, async () => {
    enterWithSource();
    expect((await runBerth(['build', '--out', 'elsewhere/bundles'])).code).toBe(0);
    const store = new BundleStore('elsewhere/bundles');
    const record = await store.readSource('a');
    expect((await store.readBundle('a', record?.current ?? '')).byteLength).toBeGreaterThan(0);
    expect(readdirSync('.')).not.toContain('data');
  });

  it(`${proves('C-1-11')} ends with 1 when a source fails, and writes the others`, async () => {
    const dir = enterWithSource();
    dir.write(
      'registry.config.yaml',
      makeConfig([fileSource('gone', 'gone.json'), fileSource('a', 'a.json')]),
    );
    const { code, stdout } = await runBerth(['build']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed gone: gone\.json: .*does not exist/m);
    expect(stdout).toMatch(/^a +2 +3 .* changed$/m);
    expect(await new BundleStore('data/bundles').readSource('a')).toBeDefined();
  });

  it(`${proves('C-3-17')} lists rejected entries with file, line and reason, the first 20`, async () => {
    const dir = enterDirectory();
    const bad = Array.from({ length: 25 }, (_, index) => makeServerJson(`bad${index}`));
    dir.write('a.json', listServers(ONE, ...bad));
    dir.write('registry.config.yaml', makeConfig([fileSource('a', 'a.json')]));
    const { code, stdout, lines } = await runBerth(['build']);
    expect(code).toBe(0);
    expect(stdout).toContain('rejected 25 entries of a:');
    expect(stdout).toMatch(/^ {2}a\.json:3: name: must be namespace\/name/m);
    expect(lines.filter((line) => /^ {2}a\.json:/.test(line))).toHaveLength(20);
    expect(stdout).toContain('  and 5 more');
  });

  it.each([
    'gone',
    'damaged',
  ])('compiles a bundle anew that is %s, though its source did not change', async (how) => {
    enterWithSource();
    await runBerth(['build']);
    const [name = ''] = readdirSync('data/bundles').filter((file) => file.endsWith('.bundle'));
    if (how === 'gone') rmSync(join('data/bundles', name));
    else writeFileSync(join('data/bundles', name), 'damaged');
    expect((await runBerth(['build'])).code).toBe(0);
    const store = new BundleStore('data/bundles');
    await expect(store.readBundle('a', (await store.readSource('a'))?.current ?? '')).resolves.toBeDefined();
  });

  it('names sources whose entries are not fetched', async () => {
    const dir = enterWithSource();
    dir.write(
      'registry.config.yaml',
      makeConfig([fileSource('a', 'a.json'), { name: 'published', managed: {} }]),
    );
    expect((await runBerth(['build'])).stdout).toContain('nothing is fetched: published');
  });
});
