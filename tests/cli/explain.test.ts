import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Overlay } from '../../server/overlay/overlay.ts';
import { SqliteStore } from '../../server/overlay/sqlite-store.ts';
import { BundleStore } from '../../sources/bundle/bundle-store.ts';
import { proves } from '../requirements/proves.ts';
import { makeServer } from '../support/make-entry.ts';
import { runBerth } from './run-berth.ts';
import {
  AUTHZ,
  enterDirectory,
  fileSource,
  listServers,
  makeConfig,
  makeServerJson,
  type WorkingDirectory,
} from './working-directory.ts';

const ONE = makeServerJson('io.x/one');

function enterRegistry(): WorkingDirectory {
  const dir = enterDirectory();
  dir.write('a.json', listServers(ONE, makeServerJson('io.x/both')));
  dir.write('b.json', listServers(makeServerJson('io.x/both')));
  dir.write('c.json', listServers(makeServerJson('io.x/bare')));
  const sources = [
    { name: 'published', managed: {}, claims: { org: 'acme' } },
    fileSource('a', 'a.json', { claims: { org: 'acme', team: ['data', 'web'] } }),
    fileSource('b', 'b.json', { claims: { org: 'acme' } }),
    fileSource('c', 'c.json'),
  ];
  const registries = [{ name: 'main', sources: ['published', 'a', 'b', 'c'], claims: { org: 'acme' } }];
  dir.write('registry.config.yaml', makeConfig(sources, { registries, auth: AUTHZ }));
  return dir;
}

const explain = (entry: string, ...caller: string[]) =>
  runBerth(['explain', '--registry', 'main', '--entry', entry, ...caller]);
const claims = (value: object) => ['--claims', JSON.stringify(value)];

function makeToken(members: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part(members)}.c2lnbmF0dXJl`;
}

describe('berth explain', () => {
  it.each([
    ['server/io.x/one', { org: 'acme', team: 'web' }, 'visible: entry claims (from a)'],
    ['server/io.x/one', { org: 'acme' }, 'not visible: entry claims'],
    ['server/io.x/one', { org: 'other', team: 'web' }, 'not visible: registry gate'],
    ['server/io.x/bare', { org: 'acme' }, 'not visible: unlabeled'],
    ['server/io.x/bare', { groups: 'admins' }, 'visible: super-admin (from c)'],
    ['server/io.x/none', { org: 'acme' }, 'not visible: no such entry'],
    [
      'server/io.x/both',
      { org: 'acme', team: 'data' },
      'visible: entry claims (from a; the copy of b is shadowed by a)',
    ],
  ])(`${proves('C-12.2-04', 'C-12.2-05')} %s for %j ends with "%s"`, async (entry, held, last) => {
    enterRegistry();
    const { code, lines } = await explain(entry, ...claims(held));
    expect({ code, last: lines.at(-1) }).toEqual({ code: 0, last });
  });

  it(`${proves('C-1-23', 'C-1-24')} goes through roles, gate, every key of the claims and shadowing`, async () => {
    enterRegistry();
    const { lines } = await explain('server/io.x/both', ...claims({ org: 'acme', team: 'data' }));
    expect(lines.slice(0, -1)).toEqual([
      'roles: none',
      'registry gate of main: passed',
      '  org: wants "acme", caller holds "acme": yes',
      'entry claims in a: passed',
      '  org: wants "acme", caller holds "acme": yes',
      '  team: wants "data" or "web", caller holds "data": yes',
      'entry claims in b: passed',
      '  org: wants "acme", caller holds "acme": yes',
      'shadowing: the copy of b is shadowed by a',
    ]);
  });

  it(`${proves('C-1-25')} takes claims from a file and from a token that is decoded, not verified`, async () => {
    const dir = enterRegistry();
    dir.write('caller.json', { org: 'acme', team: ['web'] });
    const fromFile = await explain('server/io.x/one', '--claims', '@caller.json');
    expect(fromFile.lines.at(-1)).toMatch(/^visible/);
    const token = makeToken({ org: 'acme', team: 'web', exp: 1_000_000_000 });
    const fromToken = await explain('server/io.x/one', '--token', token);
    expect(fromToken.lines.at(-1)).toMatch(/^visible/);
    expect(fromToken.stdout).toContain('the token was decoded, not verified');
    expect(fromToken.stdout).toContain(
      'the token ended at 2001-09-09T01:46:40.000Z: the service would answer 401',
    );
    expect(fromToken.stdout).not.toContain(token);
  });

  it.each([
    [[], 'Give either --claims JSON'],
    [['--claims', '{}', '--token', 'x'], 'Give either --claims JSON'],
    [['--claims', '[]'], '--claims: The claims are no JSON object.'],
    [['--claims', '@gone.json'], 'The file gone.json cannot be read.'],
    [['--token', 'opaque-token'], 'The token is no JWT'],
  ])('does not understand the caller %j', async (caller, message) => {
    enterRegistry();
    const { code, stderr } = await explain('server/io.x/one', ...caller);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('opaque-token');
    expect(code).toBe(2);
  });

  it.each([
    ['main', 'io.x/one', 'names no entry. Write server/NAMESPACE/NAME'],
    ['other', 'server/io.x/one', 'There is no registry other. Known: main.'],
  ])('fails for registry %s and entry %s', async (registry, entry, message) => {
    enterRegistry();
    const { code, stderr } = await runBerth([
      'explain',
      '--registry',
      registry,
      '--entry',
      entry,
      ...claims({}),
    ]);
    expect(stderr).toContain(message);
    expect(code).toBe(1);
  });

  it(`${proves('C-12.2-01')} reads the bundles there are, and compiles those that are missing or damaged`, async () => {
    const dir = enterRegistry();
    await runBerth(['build']);
    dir.write('b.json', listServers(makeServerJson('io.x/later')));
    const known = await explain(
      'server/io.x/later',
      '--config',
      'registry.config.yaml',
      ...claims({ org: 'acme' }),
    );
    expect(known.lines.at(-1)).toBe('not visible: no such entry');
    const hash = (await new BundleStore('data/bundles').readSource('b'))?.current;
    dir.write(`data/bundles/b-${hash}.bundle`, 'damaged');
    const anew = await explain('server/io.x/later', ...claims({ org: 'acme' }));
    expect(anew.lines.at(-1)).toBe('visible: entry claims (from b)');
  });

  it('goes on with what there is when a source cannot be compiled, and says so', async () => {
    enterRegistry();
    rmSync('b.json');
    const { code, lines } = await explain('server/io.x/one', ...claims({ org: 'acme', team: 'web' }));
    expect(code).toBe(0);
    expect(lines[0]).toMatch(/^note: source b has no bundle and cannot be compiled: /);
    expect(lines.at(-1)).toMatch(/^visible/);
  });

  it('sees what was published, also while the service holds the overlay', async () => {
    enterRegistry();
    const store = await SqliteStore.open({ path: `${process.cwd()}/data`, configured: 'data' });
    const overlay = await Overlay.open(store);
    try {
      const { type, name, version, body, status, tags, tools } = makeServer('io.x/fresh');
      await overlay.publish(
        'published',
        { type, name, version, body, status, tags, tools },
        { org: 'acme', team: 'ops' },
      );
      const seen = await explain('server/io.x/fresh', ...claims({ org: 'acme', team: 'ops' }));
      expect(seen.lines.at(-1)).toBe('visible: entry claims (from published)');
      const unseen = await explain('server/io.x/fresh', ...claims({ org: 'acme' }));
      expect(unseen.lines.at(-1)).toBe('not visible: entry claims');
    } finally {
      await overlay.close();
    }
  });

  it('answers as data', async () => {
    enterRegistry();
    const { stdout } = await explain('server/io.x/one', ...claims({ org: 'acme' }), '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      visible: false,
      decidedBy: 'entry claims',
      copies: [{ source: 'a', visible: false }],
      text: expect.arrayContaining(['not visible: entry claims']),
    });
  });
});
