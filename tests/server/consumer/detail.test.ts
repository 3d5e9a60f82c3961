import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CatalogEntry } from '../../../sources/model/entry.ts';
import { proves } from '../../requirements/proves.ts';
import {
  type ConsumerBench,
  keysOf,
  readServer,
  readServers,
  startBench,
} from '../../support/consumer-bench.ts';
import { makeServer } from '../../support/make-entry.ts';
import { makeSegment, makeWorld, SEEN } from '../../support/make-world.ts';
import { RICH } from './rich-server.ts';

const SERVERS = '/registry/main/v0.1/servers';
const OFFICIAL = 'io.modelcontextprotocol.registry/official';
const ORIGIN = 'dev.berth/origin';
const time = z.iso.datetime();
/** The upstream schema allows no other member. */
const officialSchema = z.strictObject({
  status: z.enum(['active', 'deprecated', 'deleted']),
  statusMessage: z.string().optional(),
  statusChangedAt: time,
  publishedAt: time,
  updatedAt: time,
  isLatest: z.boolean(),
});

async function start(entries: readonly CatalogEntry[]): Promise<ConsumerBench> {
  const origin = {
    kind: 'git' as const,
    commit: 'c0ffee',
    ref: 'main',
    repository: 'https://git.example/r.git',
    digest: 'x',
  };
  const segment = await makeSegment('team', entries, undefined, origin);
  return startBench(makeWorld({ main: { segments: [segment] } }));
}

const path = (name: string, version?: string) =>
  `${SERVERS}/${encodeURIComponent(name)}/versions${version === undefined ? '' : `/${encodeURIComponent(version)}`}`;

const HISTORY = [
  makeServer('a.a/x', '1.0.0'),
  makeServer('a.a/x', '2.0.0', {
    status: 'deprecated',
    statusMessage: 'Use "3"\n',
    statusChangedAt: SEEN + 5,
  }),
  makeServer('a.a/x', '3.0.0', { status: 'deleted' }),
  makeServer('a.a/x', '4.0.0-rc.1'),
  makeServer('gone.g/x', '1.0.0', { status: 'deleted' }),
  makeServer('gone.g/x', '2.0.0', { status: 'deleted' }),
];

describe('the versions of a server', () => {
  it(`${proves('C-5-17', 'C-5-20', 'C-5-38')} come newest first in the shape of a list, deleted ones when asked for`, async () => {
    const bench = await start(HISTORY);
    expect(keysOf(await bench.ask(path('a.a/x')))).toEqual([
      'a.a/x@4.0.0-rc.1',
      'a.a/x@2.0.0',
      'a.a/x@1.0.0',
    ]);
    const all = readServers(await bench.ask(`${path('a.a/x')}?include_deleted=true`));
    expect(all.servers.map(({ server }) => server.version)).toEqual([
      '4.0.0-rc.1',
      '3.0.0',
      '2.0.0',
      '1.0.0',
    ]);
    expect(all.metadata).toEqual({ count: 4 });
    expect((await bench.ask(`${path('a.a/x')}?include_deleted=perhaps`)).status).toBe(400);
  });

  it(`${proves('C-5-18', 'C-5-23')} are 404 for what nobody knows`, async () => {
    const bench = await start(HISTORY);
    for (const unknown of [
      path('a.a/y'),
      path('a.a/y', 'latest'),
      path('a.a/x', '9.9.9'),
      path('A.a/x'),
      path('a.a/x', '1.0'),
    ]) {
      const reply = await bench.ask(unknown);
      expect([reply.status, JSON.parse(String(reply.body)).code], unknown).toEqual([404, 'server_not_found']);
    }
  });

  it(`${proves('C-12.6-01', 'C-12.6-02', 'C-5-21', 'C-5-22')} have a latest that is not deleted; with none left only include_deleted shows them`, async () => {
    const bench = await start(HISTORY);
    const latest = readServer(await bench.ask(path('a.a/x', 'latest')));
    expect(latest.server).toEqual({ name: 'a.a/x', description: 'About a.a/x', version: '2.0.0' });
    expect(latest._meta[OFFICIAL]).toMatchObject({ isLatest: true });
    expect(readServer(await bench.ask(path('a.a/x', '1.0.0')))._meta[OFFICIAL]).toMatchObject({
      isLatest: false,
    });
    expect((await bench.ask(path('a.a/x', '3.0.0'))).status).toBe(404);
    const shown = readServer(await bench.ask(`${path('a.a/x', '3.0.0')}?include_deleted=true`));
    expect(shown._meta[OFFICIAL]).toMatchObject({ status: 'deleted', isLatest: false });
    for (const gone of [path('gone.g/x'), path('gone.g/x', 'latest'), path('gone.g/x', '1.0.0')]) {
      expect((await bench.ask(gone)).status, gone).toBe(404);
      expect((await bench.ask(`${gone}?include_deleted=true`)).status, gone).toBe(200);
    }
    expect(
      readServer(await bench.ask(`${path('gone.g/x', 'latest')}?include_deleted=true`)).server.version,
    ).toBe('2.0.0');
  });
});

describe('an item', () => {
  it(`${proves('C-5-34', 'C-12.6-03', 'C-12.6-04')} carries the official block whole and with nothing of ours in it`, async () => {
    const given = makeServer('b.b/x', '1.0.0', {
      publishedAt: SEEN - 2000,
      updatedAt: SEEN - 1000,
      statusChangedAt: SEEN - 1500,
    });
    const bench = await start([...HISTORY, given]);
    const { servers } = readServers(await bench.ask(`${SERVERS}?include_deleted=true`));
    expect(servers).toHaveLength(7);
    for (const { _meta } of servers) officialSchema.parse(_meta[OFFICIAL]);
    const [, , deprecated] = servers;
    expect(deprecated?._meta[OFFICIAL]).toEqual({
      status: 'deprecated',
      statusMessage: 'Use "3"\n',
      statusChangedAt: '2026-01-01T00:00:00.005Z',
      publishedAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      isLatest: true,
    });
    expect(readServer(await bench.ask(path('b.b/x', 'latest')))._meta[OFFICIAL]).toEqual({
      status: 'active',
      statusChangedAt: '2025-12-31T23:59:58.500Z',
      publishedAt: '2025-12-31T23:59:58.000Z',
      updatedAt: '2025-12-31T23:59:59.000Z',
      isLatest: true,
    });
  });

  it(`${proves('C-5-35', 'C-12.3-03')} says where it comes from: source, bundle, commit`, async () => {
    const bench = await start(HISTORY);
    const bundle = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    const { _meta } = readServer(await bench.ask(path('a.a/x', 'latest')));
    expect(_meta[ORIGIN]).toEqual({
      source: 'team',
      kind: 'git',
      bundle,
      commit: 'c0ffee',
      ref: 'main',
      repository: 'https://git.example/r.git',
    });
    expect(_meta[ORIGIN]).toMatchObject({ bundle: `sha256:${await hashOfOnlyBundle(bench)}` });
  });

  it(`${proves('C-5-36')} comes back as it was: icons, variables, arguments, the publisher's own _meta`, async () => {
    const vendorMeta = { 'com.vendor/scan': { score: 9.5, findings: [null, 'é "\u2028'] } };
    const bench = await start([
      { ...makeServer('io.example.rich/everything', '1.2.3', { vendorMeta }), body: RICH },
    ]);
    for (const reply of [
      await bench.ask(path('io.example.rich/everything', '1.2.3')),
      await bench.ask(SERVERS),
    ]) {
      const item = reply.body.toString().startsWith('{"servers"')
        ? readServers(reply).servers[0]
        : readServer(reply);
      expect(item?.server).toEqual(RICH);
      expect(String(reply.body)).toContain(`"server":${JSON.stringify(RICH)},`);
      expect(Object.keys(item?._meta ?? {})).toEqual(['com.vendor/scan', OFFICIAL, ORIGIN]);
      expect(item?._meta['com.vendor/scan']).toEqual(vendorMeta['com.vendor/scan']);
    }
  });
});

describe('a name or version in the path', () => {
  it('may be encoded in any way, its slash also not at all', async () => {
    const bench = await start([
      makeServer('a.a/x', '1.0.0+build.1'),
      makeServer('versions/versions', '1 beta'),
    ]);
    const { body } = await bench.ask(path('a.a/x', 'latest'));
    for (const same of [
      'a.a%2Fx/versions/latest',
      'a.a%2fx/versions/latest/',
      'a.a/x/versions/latest',
      '%61.a%2Fx/versions/%6Catest',
      'a.a%2Fx/versions/1.0.0+build.1',
      'a.a%2Fx/versions/1.0.0%2Bbuild.1',
    ]) {
      expect((await bench.ask(`${SERVERS}/${same}`)).body, same).toEqual(body);
    }
    expect(readServer(await bench.ask(path('versions/versions', '1 beta'))).server.name).toBe(
      'versions/versions',
    );
    expect((await bench.ask(`${SERVERS}/a.a%252Fx/versions/latest`)).status).toBe(400);
  });

  it.each([
    'noslash',
    'a%2Fb%2Fc',
    '.a%2Fb',
    '%2Fab',
    'ab%2F',
    `a.a%2F${'x'.repeat(198)}`,
    '%20',
    'a.a%2Fa%09b',
    'a.a%2Fa%20b',
    'a%3Cb%2Fx',
    '..%2F..',
    '%00%2Fx',
    'a.a%2F%E9',
  ])(`${proves('C-5-74', 'C-5-75')} is 400 when it cannot be the name of a server: %s`, async (name) => {
    const bench = await start(HISTORY);
    for (const rest of ['/versions', '/versions/latest']) {
      expect((await bench.ask(`${SERVERS}/${name}${rest}`)).status, rest).toBe(400);
    }
  });

  it.each([
    '%20',
    '%09x',
    '%',
    '%c3%28',
    `${'9'.repeat(256)}`,
  ])('is 400 when it cannot be a version: %s', async (version) => {
    expect((await (await start(HISTORY)).ask(`${SERVERS}/a.a%2Fx/versions/${version}`)).status).toBe(400);
  });
});

async function hashOfOnlyBundle(bench: ConsumerBench): Promise<string> {
  const [segment] = bench.world.segments.values();
  if (!segment || !('record' in segment)) throw new Error('no bundle');
  return z.object({ hash: z.string() }).parse(segment.record).hash;
}
