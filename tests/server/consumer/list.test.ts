import { describe, expect, it } from 'vitest';
import { limitsSchema } from '../../../sources/config/schema.ts';
import { proves } from '../../requirements/proves.ts';
import { type ConsumerBench, keysOf, readServers, startBench } from '../../support/consumer-bench.ts';
import { makeServer } from '../../support/make-entry.ts';
import { makeSegment, makeWorld } from '../../support/make-world.ts';

const FEBRUARY = Date.UTC(2026, 1, 1);
const LIST = '/registry/main/v0.1/servers';

async function start(maxPageSize = 100): Promise<ConsumerBench> {
  const first = await makeSegment('first', [
    makeServer('a.a/x', '1.0.0'),
    makeServer('a.a/x', '2.0.0', { tags: ['web'] }),
    makeServer('b.b/x', '1.0.0', { status: 'deprecated', tags: ['web'] }),
    makeServer('c.c/x', '1.0.0', { status: 'deleted', updatedAt: FEBRUARY }),
    makeServer('d.d/x', '1.0.0', { updatedAt: FEBRUARY }),
  ]);
  const second = await makeSegment('second', [
    makeServer('a.a/x', '3.0.0'),
    makeServer('c.c/x', '9.0.0'),
    makeServer('e.e/x', '1.0.0'),
    ...Array.from({ length: 40 }, (_, i) => makeServer(`many.m/x${String(i).padStart(2, '0')}`)),
  ]);
  return startBench(makeWorld({ main: { segments: [first, second] } }), { maxPageSize });
}

const few = (keys: string[]) => keys.filter((key) => !key.startsWith('many.'));

describe('GET /servers', () => {
  it(`${proves('C-5-05', 'C-5-12', 'C-5-43', 'S-2.3-01', 'S-2.3-02', 'S-9-01')} lists server and _meta of every visible version, deprecated but not deleted ones`, async () => {
    const reply = await (await start()).ask(`${LIST}?limit=100`);
    const { servers, metadata } = readServers(reply);
    expect(few(keysOf(reply))).toEqual([
      'a.a/x@2.0.0',
      'a.a/x@1.0.0',
      'b.b/x@1.0.0',
      'd.d/x@1.0.0',
      'e.e/x@1.0.0',
    ]);
    expect(metadata).toEqual({ count: 45 });
    expect(servers[0]?.server).toEqual({ name: 'a.a/x', description: 'About a.a/x', version: '2.0.0' });
  });

  it(`${proves('C-5-01')} answers under v0.1 and v0 alike, with a slash at the end too, and under nothing else`, async () => {
    const bench = await start();
    const { body } = await bench.ask(`${LIST}?limit=3`);
    for (const path of ['/v0/servers', '/v0.1/servers/', '/v0/servers/']) {
      expect((await bench.ask(`/registry/main${path}?limit=3`)).body).toEqual(body);
    }
    for (const path of [
      '/v1/servers',
      '/v0.2/servers',
      '/servers',
      '/V0.1/servers',
      '/v0.1/servers//',
      '/v0.1//servers',
    ]) {
      expect((await bench.ask(`/registry/main${path}`)).status, path).toBe(404);
    }
  });

  it(`${proves('C-5-06', 'C-5-07', 'C-5-48')} pages: 30 unless told otherwise, a cursor exactly when there is more`, async () => {
    const bench = await start();
    const page = readServers(await bench.ask(LIST));
    expect(page.metadata.count).toBe(30);
    expect(page.servers).toHaveLength(30);
    expect(page.metadata.nextCursor).toMatch(/^[A-Za-z0-9_-]+$/);
    const rest = readServers(await bench.ask(`${LIST}?cursor=${page.metadata.nextCursor}`));
    expect(rest.metadata).toEqual({ count: 15 });
    expect(readServers(await bench.ask(`${LIST}?limit=45`)).metadata).toEqual({ count: 45 });
    expect(readServers(await bench.ask(`${LIST}?limit=44`)).metadata.nextCursor).toBeDefined();
    expect(readServers(await bench.ask(`${LIST}?limit=1`)).servers).toHaveLength(1);
  });

  it(`${proves('C-5-07', 'C-5-72')} takes a limit of 1 to the configured most, which also bounds the default`, async () => {
    const bench = await start(20);
    expect(readServers(await bench.ask(LIST)).metadata.count).toBe(20);
    expect(readServers(await bench.ask(`${LIST}?limit=20`)).metadata.count).toBe(20);
    for (const limit of [
      '0',
      '-1',
      '21',
      '1.5',
      'ten',
      '',
      '1e1',
      '0x5',
      '%31%30x',
      '999999999999',
      ' 5',
      'NaN',
    ]) {
      const reply = await bench.ask(`${LIST}?limit=${limit.replace(' ', '+')}`);
      expect([reply.status, JSON.parse(String(reply.body)).code], limit).toEqual([400, 'limit_invalid']);
    }
  });

  it(`${proves('C-2-75')} lets the most be configured, 100 without, higher for consumers that want it`, async () => {
    expect(limitsSchema.parse({}).maxPageSize).toBe(100);
    const { ask } = await start(5000);
    expect(readServers(await ask(`${LIST}?limit=5000`)).metadata.count).toBe(45);
    expect((await ask(`${LIST}?limit=5001`)).status).toBe(400);
  });

  it(`${proves('C-5-13', 'C-5-14', 'C-5-09')} shows what changed since a time, deleted versions among it unless told otherwise`, async () => {
    const bench = await start();
    const since = 'updated_since=2026-02-01T00:00:00Z';
    expect(keysOf(await bench.ask(`${LIST}?${since}`))).toEqual(['c.c/x@1.0.0', 'd.d/x@1.0.0']);
    expect(keysOf(await bench.ask(`${LIST}?${since}&include_deleted=false`))).toEqual(['d.d/x@1.0.0']);
    expect(keysOf(await bench.ask(`${LIST}?updated_since=2026-02-01T00:00:00.001Z`))).toEqual([]);
    expect(keysOf(await bench.ask(`${LIST}?updated_since=2026-02-01T02:00:00%2B02:00`))).toHaveLength(2);
    expect(few(keysOf(await bench.ask(`${LIST}?limit=100&include_deleted=true`)))).toContain('c.c/x@1.0.0');
    expect(
      readServers(await bench.ask(`${LIST}?updated_since=2025-12-31t23:59:59z&limit=100`)).metadata.count,
    ).toBe(46);
  });

  it.each([
    '',
    'yesterday',
    '2026-02-01',
    '2026-02-01T00:00:00',
    '2026-13-01T00:00:00Z',
    '1769904000',
    '2026-02-01 00:00:00Z',
  ])(`${proves('C-5-73')} refuses updated_since=%s`, async (text) => {
    const reply = await (await start()).ask(`${LIST}?updated_since=${encodeURIComponent(text)}`);
    expect([reply.status, JSON.parse(String(reply.body)).code]).toEqual([400, 'updated_since_invalid']);
  });

  it(`${proves('C-5-10', 'C-5-11', 'C-5-15', 'C-5-16', 'C-12.4-02')} narrows by version, tag and winning source`, async () => {
    const bench = await start();
    const list = async (query: string) => few(keysOf(await bench.ask(`${LIST}?limit=100&${query}`)));
    expect(await list('version=latest')).toEqual([
      'a.a/x@2.0.0',
      'b.b/x@1.0.0',
      'd.d/x@1.0.0',
      'e.e/x@1.0.0',
    ]);
    expect(await list('version=2.0.0')).toEqual(['a.a/x@2.0.0']);
    expect(await list('version=3.0.0')).toEqual([]);
    expect(await list('tag=web')).toEqual(['a.a/x@2.0.0', 'b.b/x@1.0.0']);
    expect(await list('tag=web&version=1.0.0')).toEqual(['b.b/x@1.0.0']);
    expect(await list('tag=none')).toEqual([]);
    expect(await list('source=second')).toEqual(['e.e/x@1.0.0']);
    expect(await list('source=first&version=latest&tag=web')).toEqual(['a.a/x@2.0.0', 'b.b/x@1.0.0']);
    expect(await list('source=third')).toEqual([]);
  });

  it(`${proves('C-12.4-03')} ignores parameters nobody knows`, async () => {
    const bench = await start();
    const { body } = await bench.ask(`${LIST}?limit=3`);
    expect((await bench.ask(`${LIST}?limit=3&status=gone&x=1&=&&sort`)).body).toEqual(body);
  });

  it.each([
    'include_deleted=maybe',
    'x=%zz',
    'search=%ff',
    '%=1',
    'cursor=%',
    'search=%00',
  ])(`${proves('C-5-75')} refuses the query %s`, async (query) => {
    expect((await (await start()).ask(`${LIST}?${query}`)).status).toBe(400);
  });

  it(`${proves('C-5-49', 'C-5-50')} walks on with the cursor alone, all filters kept`, async () => {
    const bench = await start();
    for (const filters of [
      'search=many',
      'search=abuot&version=latest',
      'tag=web',
      'source=first&include_deleted=true',
      'version=1.0.0',
      'updated_since=2026-01-01T00:00:00Z',
    ]) {
      const whole = keysOf(await bench.ask(`${LIST}?limit=100&${filters}`));
      expect(whole.length, filters).toBeGreaterThan(1);
      const walked: string[] = [];
      let query = filters;
      for (;;) {
        const reply = await bench.ask(`${LIST}?limit=1&${query}`);
        walked.push(...keysOf(reply));
        const { nextCursor } = readServers(reply).metadata;
        if (nextCursor === undefined) break;
        query = `cursor=${nextCursor}`;
      }
      expect(walked, filters).toEqual(whole);
    }
  });

  it(`${proves('C-5-52')} refuses a damaged cursor, and takes an empty one for none`, async () => {
    const bench = await start();
    const { nextCursor = '' } = readServers(await bench.ask(`${LIST}?limit=1`)).metadata;
    for (const cursor of [nextCursor.slice(1), `${nextCursor}A=`, 'x', 'YSxi', nextCursor.toLowerCase()]) {
      const reply = await bench.ask(`${LIST}?cursor=${cursor}`);
      expect([reply.status, JSON.parse(String(reply.body)).code], cursor).toEqual([400, 'cursor_invalid']);
    }
    expect((await bench.ask(`/registry/main/v0.1/x/dev.toolhive/skills?cursor=${nextCursor}`)).status).toBe(
      400,
    );
    expect((await bench.ask(`${LIST}?cursor=&limit=1`)).body).toEqual(
      (await bench.ask(`${LIST}?limit=1`)).body,
    );
  });

  it(`${proves('C-5-08', 'C-5-58')} answers a search, and one without result with count 0`, async () => {
    const bench = await start();
    expect(keysOf(await bench.ask(`${LIST}?search=b.b`))).toContain('b.b/x@1.0.0');
    expect(readServers(await bench.ask(`${LIST}?search=quetzalcoatl`))).toEqual({
      servers: [],
      metadata: { count: 0 },
    });
    expect((await bench.ask(`${LIST}?search=+`)).body).toEqual((await bench.ask(LIST)).body);
  });
});
