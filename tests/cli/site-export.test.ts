import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Overlay } from '../../server/overlay/overlay.ts';
import { SqliteStore } from '../../server/overlay/sqlite-store.ts';
import { proves } from '../requirements/proves.ts';
import { readFiles } from '../server/site/export/export-world.ts';
import { findCommand } from '../support/built-command.ts';
import { makeServer } from '../support/make-entry.ts';
import { waitUntil } from '../support/wait-until.ts';
import { runBerth } from './run-berth.ts';
import {
  AUTHZ,
  enterDirectory,
  fileSource,
  listServers,
  makeConfig,
  makeServerJson,
} from './working-directory.ts';

const AUDIENCE = { org: 'acme', team: 'blue' };

/** Two teams; what only red sees has `red` in every name and text. */
function enterTeams(site: object = { audience: AUDIENCE }, more: object = {}) {
  const dir = enterDirectory();
  const of = (team: string) =>
    listServers(
      makeServerJson(`io.${team}/search`, '1.0.0', {
        title: `The ${team} search`,
        description: `Finds what is ${team}side`,
        websiteUrl: `https://${team}.example.com/`,
      }),
      makeServerJson(`io.${team}/search`, '2.0.0'),
    );
  for (const team of ['blue', 'red', 'all']) dir.write(`${team}.json`, of(team));
  const sources = [
    { name: 'published', managed: {}, claims: { org: 'acme' } },
    fileSource('all-tools', 'all.json', { claims: { org: 'acme' } }),
    fileSource('blue-tools', 'blue.json', { claims: { org: 'acme', team: 'blue' } }),
    fileSource('red-tools', 'red.json', { claims: { org: 'acme', team: ['crimson', 'red'] } }),
    fileSource('unlabeled-tools', 'all.json'),
  ];
  const names = sources.map(({ name }: { name?: string }) => name);
  const registries = [
    { name: 'company', sources: names, claims: { org: 'acme' }, description: 'For everybody' },
    { name: 'reds', sources: names, claims: { team: 'red' }, description: 'For the reds' },
  ];
  dir.write('registry.config.yaml', makeConfig(sources, { registries, auth: AUTHZ, site, ...more }));
  return dir;
}

const exportTo = (out: string, ...words: readonly string[]) =>
  runBerth(['site', 'export', '--out', out, ...words]);
const textOf = (dir: string) =>
  [...readFiles(dir)].map(([path, bytes]) => `${path}\n${bytes.toString('latin1')}`).join('\n');
const digestsOf = (dir: string) =>
  Object.fromEntries([...readFiles(dir)].map(([path, bytes]) => [path, hash('sha256', bytes, 'hex')]));
/** Guides hold names of their own, so the words are those of this test. */
const RED = /io\.red|redside|red search|red\.example|red-tools|crimson|unlabeled-tools|reds\b|For the reds/;

describe('berth site export', () => {
  it(`${proves('C-2-79', 'C-2-80')} writes what the audience may see and nothing else`, async () => {
    enterTeams();
    const { code, lines, stderr } = await exportTo('pub');
    expect([code, stderr]).toEqual([0, '']);
    expect(lines.at(-1)).toMatch(/^pub: 2 entries of 1 registry on \d+ pages, \d+ files, [\d.]+ MB, /);
    const files = readFiles('pub');
    const entries = [...files.keys()].filter((path) => path.startsWith('catalog/company/servers/'));
    expect(entries).toEqual(
      ['all', 'blue'].flatMap((team) =>
        ['1.0.0/index.html', 'index.html'].map((page) => `catalog/company/servers/io.${team}/search/${page}`),
      ),
    );
    expect(files.has('docs/start/install/index.html')).toBe(true);
    expect(textOf('pub')).not.toMatch(RED);
    expect(textOf('pub')).toContain('blueside');
  });

  it(`${proves('C-2-80')} writes nothing of a catalog under authz when there is no audience`, async () => {
    enterTeams({});
    const { code, lines } = await exportTo('pub');
    expect(code).toBe(0);
    expect(lines[0]).toBe('note no registry is exported (no site.audience, so what is seen without a token)');
    expect(textOf('pub')).not.toMatch(RED);
    expect(textOf('pub')).not.toMatch(/io\.blue|io\.all|blueside|allside|all-tools|catalog\/company/);
    expect(existsSync('pub/catalog')).toBe(false);
  });

  it('gives the audience no role, whatever a token with its claims would have', async () => {
    const authz = { roles: { superAdmin: [{ team: 'blue' }] } };
    enterTeams(undefined, { auth: { ...AUTHZ, authz } });
    expect((await exportTo('pub')).code).toBe(0);
    expect(textOf('pub')).not.toMatch(RED);
  });

  it('writes the same bytes for the same input, and for what came between', async () => {
    enterTeams();
    await exportTo('one');
    rmSync('data', { recursive: true });
    await exportTo('two');
    await exportTo('three', '--no-build');
    const [one, two, three] = ['one', 'two', 'three'].map(digestsOf);
    expect(two).toEqual(one);
    expect(three).toEqual(one);
  });

  it('takes the date of SOURCE_DATE_EPOCH for entries without one', async () => {
    enterTeams();
    const { code } = await runBerth(['site', 'export', '--out', 'pub'], { SOURCE_DATE_EPOCH: '1700000000' });
    expect(code).toBe(0);
    const page = readFiles('pub').get('catalog/company/servers/io.blue/search/index.html');
    expect(String(page)).toContain('14 Nov 2023');
    expect((await runBerth(['site', 'export', '--out', 'pub'], { SOURCE_DATE_EPOCH: 'now' })).code).toBe(2);
  });

  it('holds published entries as their claims say', async () => {
    enterTeams();
    const store = await SqliteStore.open({ path: `${process.cwd()}/data`, configured: 'data' });
    const overlay = await Overlay.open(store);
    try {
      for (const team of ['blue', 'red']) {
        const { type, name, version, body, status, tags, tools } = makeServer(`io.${team}/fresh`);
        const published = { type, name, version, body, status, tags, tools };
        await overlay.publish('published', published, { org: 'acme', team });
      }
      expect((await exportTo('pub')).code).toBe(0);
    } finally {
      await overlay.close();
    }
    expect(existsSync('pub/catalog/company/servers/io.blue/fresh/index.html')).toBe(true);
    expect(textOf('pub')).not.toMatch(RED);
  });

  it('exports everything in anonymous mode', async () => {
    enterTeams({}, { auth: { mode: 'anonymous' } });
    const { stdout } = await exportTo('pub', '--format', 'json');
    const { seconds, bytes, files, pages, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({
      out: 'pub',
      registries: 2,
      entries: 6,
      notes: ['site.baseUrl is not set, so what is to be copied names http://127.0.0.1:8080'],
    });
    const found = readFiles('pub');
    expect(files).toBe(found.size);
    expect(bytes).toBe([...found.values()].reduce((sum, { length }) => sum + length, 0));
    expect(pages).toBe(
      [...found.keys()].filter((path) => path.endsWith('/index.html') || path === 'index.html').length,
    );
    expect(seconds).toBeGreaterThan(0);
  });

  it(`${proves('C-2-78')} shows the title and the base URL of the configuration`, async () => {
    enterTeams({ audience: AUDIENCE, title: 'Acme Tools', baseUrl: 'https://tools.acme.example/' });
    await exportTo('pub');
    const home = String(readFiles('pub').get('index.html'));
    expect(home).toContain('<title>Acme Tools</title>');
    expect(home).toContain('https://tools.acme.example/registry/company');
  });

  it('keeps the export before when a source fails, unless told to take its bundle', async () => {
    const dir = enterTeams();
    await exportTo('pub');
    const before = digestsOf('pub');
    dir.write('blue.json', '{');
    const { code, stderr } = await exportTo('pub');
    expect(code).toBe(1);
    expect(stderr).toContain('blue-tools: ');
    expect(stderr).toContain('--no-build');
    expect(digestsOf('pub')).toEqual(before);
    expect((await exportTo('pub', '--no-build')).code).toBe(0);
    expect(digestsOf('pub')).toEqual(before);
    rmSync('data', { recursive: true });
    const missing = await exportTo('pub', '--no-build');
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('has no bundle')]);
    expect(readdirSync('.').filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const dir = enterTeams();
    const names = Array.from({ length: 2000 }, (_, i) => makeServerJson(`io.many/server-${i}`));
    dir.write('blue.json', listServers(...names));
    const args = [findCommand(), 'site', 'export', '--out', 'pub'];
    const child = spawn(process.execPath, args, { stdio: 'ignore', cwd: dir.path });
    const ended = once(child, 'exit');
    const begun = () => readdirSync('.').find((name) => name.startsWith('.pub.new-'));
    await waitUntil(
      () => existsSync(`${begun()}/catalog/company/servers/io.many`),
      'the first entries to be written',
      30_000,
    );
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect([begun(), existsSync('pub')]).toEqual([undefined, false]);
  });

  it('replaces nothing but exports', async () => {
    const dir = enterTeams();
    dir.write('pub/thesis.txt', 'mine');
    const refused = await exportTo('pub');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--force')]);
    expect(readdirSync('pub')).toEqual(['thesis.txt']);
    expect((await exportTo('pub', '--force')).code).toBe(0);
    expect(existsSync('pub/thesis.txt')).toBe(false);
    writeFileSync('pub/index.html', 'edited');
    expect((await exportTo('pub')).code).toBe(0);
    expect((await exportTo('.', '--force')).code).toBe(1);
    expect(existsSync('registry.config.yaml')).toBe(true);
  });

  it.each([
    [['site', 'export'], '--out'],
    [['site', 'export', '--out', 'pub', '--base', 'https://acme.example/catalog/'], '--base'],
    [['site', 'export', '--out', 'pub', '--base', '/a b/?c'], '--base'],
    [['site', 'export', '--out', 'pub', '--format', 'xml'], '--format'],
  ])('does not understand %j', async (words, flag) => {
    enterTeams();
    const { code, stderr } = await runBerth(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(flag)]);
    expect(existsSync('pub')).toBe(false);
  });

  it.each([
    'catalog',
    '/catalog',
    '/catalog/',
  ])('takes --base %s for links of the page of unknown paths', async (base) => {
    enterTeams();
    await exportTo('pub', '--base', base);
    const page = String(readFiles('pub').get('404.html'));
    expect(page).toContain('href="/catalog/favicon.svg"');
    expect(page).toMatch(/<a [^>]*href="\/catalog\/"/);
  });
});
