import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiSchema } from '../../../sources/config/schema.ts';
import { createFetchApi } from '../../../sources/kinds/fetch-api.ts';
import { proves } from '../../requirements/proves.ts';
import {
  catalogOf,
  expectFetched,
  failure,
  HOUR,
  labels,
  many,
  OLD,
  openSource,
  SERVERS,
  SKILLS,
} from './api-source.ts';
import { makeServer, makeSkill, startRegistry } from './fake-registry.ts';
import { writeFiles } from './temporary-directory.ts';

describe('api source: a walk', () => {
  it(`${proves('C-2-30', 'C-2-35')} follows the cursors below any base to the last item, once each`, async () => {
    const registry = await startRegistry('/registry/team');
    registry.servers = many(247);
    registry.pageSize = 10;
    const source = openSource({ ...registry, url: `${registry.url}/` });
    const result = expectFetched(await source.fetch());
    expect(labels(result)).toEqual(registry.servers.map(({ name }) => `${name}@1.0.0 active`));
    expect(registry.countOf(SERVERS)).toBe(25);
    expect(registry.asked[1]?.rawQuery).toContain('cursor=a%20b%2Fc%3A10');
    expect(result.origin).toMatchObject({ kind: 'api', url: registry.url });
    expect(result.layout).toBe('file');
    expect(await source.fetch()).toBe('unchanged');
  });

  it(`${proves('C-2-36')} keeps status, dates, other blocks and members nobody knows`, async () => {
    const registry = await startRegistry();
    registry.servers = [
      makeServer('io.acme/a', '1.0.0', OLD, { status: 'deprecated' }),
      makeServer('io.acme/a', '2.0.0', OLD, { status: 'deleted' }),
      makeServer('io.acme/b', '1.0.0', '2025-03-01T00:00:00.000Z', {
        server: { 'x-own': { deep: [1] }, _meta: { 'com.acme/inner': 1 } },
        meta: { 'com.acme/outer': { kept: true }, 'dev.berth/origin': { source: 'theirs' } },
      }),
    ];
    const { entries, rejected } = catalogOf(await openSource(registry).fetch());
    expect(rejected).toEqual([]);
    expect(entries.map(({ status }) => status)).toEqual(['deprecated', 'deleted', 'active']);
    expect(entries[2]).toMatchObject({
      body: { 'x-own': { deep: [1] }, _meta: { 'com.acme/inner': 1 } },
      vendorMeta: { 'com.acme/outer': { kept: true } },
      publishedAt: Date.parse('2025-01-01'),
      updatedAt: Date.parse('2025-03-01'),
    });
    expect(JSON.stringify(entries)).not.toContain('theirs');
  });

  it('rejects a bad entry alone, on a line of its own, even one that is nested without end', async () => {
    const registry = await startRegistry();
    registry.servers = [...many(2), makeServer('io.acme/bad', '1.0.0', OLD, { server: { description: 7 } })];
    const deep = `{"server":{"name":"io.acme/deep","version":"1.0.0","description":"d","x":${'['.repeat(9000)}${']'.repeat(9000)}}}`;
    registry.instead = ({ path }) =>
      path === SERVERS
        ? {
            status: 200,
            body: `{"servers":[${registry.servers.map(({ item }) => JSON.stringify(item))},${deep},null,{}],"metadata":{"nextCursor":""}}`,
          }
        : undefined;
    const { entries, rejected } = catalogOf(await openSource(registry).fetch());
    expect(entries.map(({ name }) => name)).toEqual(['io.acme/s000', 'io.acme/s001']);
    expect(rejected).toHaveLength(4);
    expect(new Set(rejected.map(({ line }) => line)).size).toBe(4);
    expect(rejected.some(({ reason }) => reason.includes('nested too deeply'))).toBe(true);
  });

  it('gives the same digest for the same items in another order, with another isLatest and origin', async () => {
    const registry = await startRegistry();
    registry.servers = many(5);
    const source = openSource(registry, { incremental: false });
    await source.fetch();
    registry.servers = [...registry.servers].reverse().map(({ item: _item, ...rest }) =>
      makeServer(rest.name, rest.version, rest.updatedAt, {
        meta: { 'dev.berth/origin': { bundle: 'x' } },
      }),
    );
    expect(await source.fetch()).toBe('unchanged');
  });

  it('asks for less when a registry refuses its parameters', async () => {
    const registry = await startRegistry();
    registry.servers = [...many(40), makeServer('io.acme/gone', '1.0.0', OLD, { status: 'deleted' })];
    registry.instead = ({ query }) =>
      Number(query.get('limit')) > 50 || query.has('include_deleted') ? { status: 400 } : undefined;
    const result = await openSource(registry).fetch();
    expect(labels(result)).toHaveLength(40);
    expect(registry.asked.filter(({ query }) => query.get('limit') === '30')).not.toHaveLength(0);
  });

  it('reads /v0 of a registry that has no /v0.1', async () => {
    const registry = await startRegistry();
    registry.apiPath = '/v0';
    registry.servers = many(3);
    expect(labels(await openSource(registry).fetch())).toHaveLength(3);
  });

  it('ends when a cursor comes again', async () => {
    const registry = await startRegistry();
    registry.instead = () => ({ status: 200, body: '{"servers":[],"metadata":{"nextCursor":"again"}}' });
    const error = await failure(openSource(registry).fetch());
    expect(error.code).toBe('source_invalid');
    expect(error.message).toContain('Page 2');
    expect(registry.asked).toHaveLength(2);
  });
});

describe('api source: skills', () => {
  it(`${proves('C-12.15-01')} brings all versions of all skills beside the servers`, async () => {
    const registry = await startRegistry();
    registry.servers = many(1);
    registry.pageSize = 2;
    registry.skills = ['pdf', 'xlsx', 'docx', 'pptx', 'html'].flatMap((name) => [
      makeSkill('io.acme', name, '1.0.0', OLD),
      makeSkill('io.acme', name, '1.1.0', OLD),
      makeSkill('io.acme', name, '2.0.0', OLD),
    ]);
    const source = openSource(registry);
    const { entries, rejected } = catalogOf(await source.fetch());
    expect(rejected).toEqual([]);
    const skills = entries.filter(({ type }) => type === 'skill');
    expect(skills).toHaveLength(15);
    expect(skills[0]).toMatchObject({ name: 'io.acme/docx', version: '1.0.0', updatedAt: Date.parse(OLD) });

    const asked = registry.countOf(`${SKILLS}/io.acme/pdf/versions`);
    registry.skills.push(makeSkill('io.acme', 'xlsx', '3.0.0', OLD));
    registry.skills = registry.skills.filter(({ name }) => name !== 'io.acme/html');
    expect(labels(await source.fetch()).filter((label) => label.startsWith('io.acme/xlsx'))).toHaveLength(4);
    expect(registry.countOf(`${SKILLS}/io.acme/pdf/versions`)).toBe(asked);
    expect(await source.fetch()).toBe('unchanged');
  });

  it.each<[string, { status: number; headers?: Record<string, string>; body?: string }]>([
    ['404', { status: 404 }],
    ['403, as gateways answer unknown paths', { status: 403 }],
    ['a web page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['a list of servers', { status: 200, body: '{"servers":[],"metadata":{}}' }],
  ])('brings the servers of a registry that answers %s for skills', async (_, reply) => {
    const registry = await startRegistry();
    registry.servers = many(2);
    registry.instead = ({ path }) => (path === SKILLS ? reply : undefined);
    expect(labels(await openSource(registry).fetch())).toHaveLength(2);
  });

  it('does not lose skills to a registry that refuses them for a while', async () => {
    const registry = await startRegistry();
    registry.servers = many(1);
    registry.skills = [makeSkill('io.acme', 'pdf', '1.0.0', OLD)];
    const source = openSource(registry);
    await source.fetch();
    registry.instead = ({ path }) => (path === SKILLS ? { status: 404 } : undefined);
    expect(await source.fetch()).toBe('unchanged');
    registry.instead = ({ path }) => (path === SKILLS ? { status: 403 } : undefined);
    expect((await failure(source.fetch())).code).toBe('source_denied');
    registry.instead = ({ path }) => (path.endsWith('/versions') ? { status: 500 } : undefined);
    source.clock.now += 25 * HOUR;
    expect((await failure(source.fetch())).code).toBe('source_unreachable');
    registry.instead = () => undefined;
    expect(await source.fetch()).toBe('unchanged');
  });

  it('asks for no versions when the list has them all, and lives with a registry that has no versions', async () => {
    const registry = await startRegistry();
    const pdf = makeSkill('io.acme', 'pdf', '1.0.0', OLD);
    const newer = makeSkill('io.acme', 'pdf', '2.0.0', OLD);
    registry.instead = ({ path }) =>
      path === SKILLS ? { status: 200, body: JSON.stringify({ skills: [pdf.item, newer.item] }) } : undefined;
    expect(labels(await openSource(registry).fetch())).toHaveLength(2);
    expect(registry.countOf(`${SKILLS}/io.acme/pdf/versions`)).toBe(0);
    registry.instead = ({ path }) =>
      path === SKILLS ? { status: 200, body: JSON.stringify({ skills: [pdf.item] }) } : undefined;
    expect(labels(await openSource(registry).fetch())).toEqual(['io.acme/pdf@1.0.0 active']);
  });
});

describe('api source: incremental', () => {
  it(`${proves('C-2-34', 'C-12.15-02')} asks for changes only, until a day has passed`, async () => {
    const registry = await startRegistry();
    registry.servers = many(250);
    const source = openSource(registry);
    await source.fetch();
    expect(registry.countOf(SERVERS)).toBe(3);

    const now = new Date(source.clock.now).toISOString();
    registry.servers = [
      makeServer('io.acme/s000', '1.0.0', now, { status: 'deleted' }),
      makeServer('io.acme/new', '1.0.0', now),
      ...registry.servers.slice(2),
    ];
    for (let round = 0; round < 24; round += 1) {
      if (round > 0) source.clock.now += HOUR - 1;
      const result = await source.fetch();
      if (round > 0) expect(result).toBe('unchanged');
      else {
        expect(labels(result)).toHaveLength(251);
        expect(labels(result)).toContain('io.acme/s000@1.0.0 deleted');
        expect(labels(result)).toContain('io.acme/s001@1.0.0 active');
        expect(labels(result)).toContain('io.acme/new@1.0.0 active');
      }
    }
    const later = registry.asked.slice(4).filter(({ path }) => path === SERVERS);
    expect(later).toHaveLength(24);
    for (const { query } of later) {
      const since = Date.parse(query.get('updated_since') ?? '');
      expect(Date.now() - since).toBeGreaterThanOrEqual(299_000);
      expect(Date.now() - since).toBeLessThan(360_000);
    }

    source.clock.now += 2 * HOUR;
    expect(labels(await source.fetch())).not.toContain('io.acme/s001@1.0.0 active');
    expect(
      registry.asked
        .filter(({ path }) => path === SERVERS)
        .at(-1)
        ?.query.has('updated_since'),
    ).toBe(false);
  });

  it('continues after a restart from a file that is private, and gives content to whoever has none', async () => {
    const registry = await startRegistry();
    registry.servers = many(3);
    const source = openSource(registry);
    const first = expectFetched(await source.fetch());
    expect(statSync(source.state()).mode & 0o777).toBe(0o600);
    expect(statSync(join(source.dir, '.berth/api')).mode & 0o777).toBe(0o700);
    const again = await createFetchApi({ allowPrivate: true })(apiSchema.parse({ endpoint: registry.url }), {
      baseDir: source.dir,
      dataDir: join(source.dir, '.berth'),
    });
    expect(expectFetched(again).digest).toBe(first.digest);
    expect(registry.asked.filter(({ query }) => query.has('updated_since'))).toHaveLength(1);
  });

  it('walks everything when the file is damaged, and makes it good', async () => {
    const registry = await startRegistry();
    registry.servers = many(3);
    const source = openSource(registry);
    await source.fetch();
    const good = readFileSync(source.state(), 'utf8');
    for (const bad of ['', '{', 'null\n{}', good.replace('s001', 's00X'), good.slice(0, -20)]) {
      writeFileSync(source.state(), bad);
      const before = registry.asked.length;
      expect(await source.fetch()).toBe('unchanged');
      expect(registry.asked[before]?.query.has('updated_since')).toBe(false);
      expect(await source.fetch()).toBe('unchanged');
      expect(registry.asked.at(-2)?.query.has('updated_since')).toBe(true);
    }
  });

  it('walks everything when the registry takes no updated_since, or has no clock and no dates', async () => {
    const strict = await startRegistry();
    strict.servers = many(3);
    strict.instead = ({ query }) => (query.has('updated_since') ? { status: 400 } : undefined);
    const source = openSource(strict);
    await source.fetch();
    strict.servers = many(2);
    expect(labels(await source.fetch())).toHaveLength(2);

    const timeless = await startRegistry();
    timeless.hasClock = false;
    timeless.instead = ({ path }) =>
      path === SERVERS
        ? { status: 200, body: '{"servers":[{"name":"io.acme/a","version":"1.0.0","description":"d"}]}' }
        : undefined;
    const other = openSource(timeless);
    expect(labels(await other.fetch())).toHaveLength(1);
    expect(await other.fetch()).toBe('unchanged');
    expect(timeless.asked.some(({ query }) => query.has('updated_since'))).toBe(false);
  });

  it('starts from the newest date when the registry has no clock, and from ours when its clock is ahead', async () => {
    const registry = await startRegistry();
    registry.hasClock = false;
    registry.servers = [...many(2), makeServer('io.acme/z', '1.0.0', '2025-06-01T12:00:00.000Z')];
    const source = openSource(registry);
    await source.fetch();
    await source.fetch();
    expect(registry.asked.at(-2)?.query.get('updated_since')).toBe('2025-06-01T11:55:00Z');

    const ahead = await startRegistry();
    ahead.servers = many(1);
    const slow = openSource(ahead);
    slow.clock.now = Date.parse('2026-01-01T00:00:00Z');
    await slow.fetch();
    await slow.fetch();
    expect(ahead.asked.at(-2)?.query.get('updated_since')).toBe('2025-12-31T23:55:00Z');
  });

  it('walks everything each time when incremental is off, and keeps nothing', async () => {
    const registry = await startRegistry();
    registry.servers = many(3);
    const source = openSource(registry, { incremental: false });
    await source.fetch();
    expect(await source.fetch()).toBe('unchanged');
    expect(registry.asked.some(({ query }) => query.has('updated_since'))).toBe(false);
    expect(readdirSync(source.dir)).toEqual([]);
  });

  it('keeps what different callers see apart', async () => {
    const registry = await startRegistry();
    registry.instead = ({ authorization, query }) => {
      const name = authorization === 'Bearer one' ? 'one' : 'two';
      const item = makeServer(`io.acme/${name}`, '1.0.0', OLD).item;
      return { status: 200, body: JSON.stringify({ servers: query.has('updated_since') ? [] : [item] }) };
    };
    const source = openSource(registry);
    await writeFiles(source.dir, { one: 'one', two: 'two' });
    const fetchApi = createFetchApi({ allowPrivate: true });
    const context = { baseDir: source.dir, dataDir: join(source.dir, '.berth') };
    const of = (tokenFile: string) =>
      fetchApi(apiSchema.parse({ endpoint: registry.url, auth: { tokenFile } }), context);
    for (let round = 0; round < 2; round += 1) {
      expect(labels(await of('one'))).toEqual(['io.acme/one@1.0.0 active']);
      expect(labels(await of('two'))).toEqual(['io.acme/two@1.0.0 active']);
    }
  });
});
