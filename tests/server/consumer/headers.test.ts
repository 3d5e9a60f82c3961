import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AppEnv } from '../../../server/app-context.ts';
import { createListener } from '../../../server/listener.ts';
import { proves } from '../../requirements/proves.ts';
import {
  type ConsumerBench,
  makeRuntime,
  REQUEST_ID,
  silentDeps,
  startBench,
} from '../../support/consumer-bench.ts';
import { makeFile, makeServer, makeSkill } from '../../support/make-entry.ts';
import { makeIdentity } from '../../support/make-identity.ts';
import { makeSegment, makeWorld } from '../../support/make-world.ts';

const PATHS = [
  '/registry/main/v0.1/servers',
  '/registry/main/v0.1/servers/a.a%2Fx/versions',
  '/registry/main/v0.1/servers/a.a%2Fx/versions/latest',
  '/registry/main/v0.1/x/dev.toolhive/skills',
  '/registry/main/v0.1/x/dev.toolhive/skills/a.a/s',
  '/registry/main/.well-known/agent-skills/index.json',
  '/registry/main/.well-known/agent-skills/s/SKILL.md',
];
const FAILING: [path: string, method: string, status: number][] = [
  ['/registry/main/v0.1/servers', 'GET', 401],
  ['/registry/main/v0.1/servers?limit=0', 'GET', 400],
  ['/registry/main/v0.1/servers', 'POST', 405],
  ['/registry/main/v0.1/none', 'GET', 404],
  ['/registry/none/v0.1/servers', 'GET', 404],
  ['/registry/team/v0.1/servers', 'GET', 403],
];
const CALLERS = { one: makeIdentity({ org: 'acme' }), two: makeIdentity({ org: 'acme', team: 'blue' }) };

async function makeTestWorld() {
  const files = [makeFile('SKILL.md', 'text '.repeat(100))];
  const all = await makeSegment(
    'all',
    [makeServer('a.a/x'), makeServer('b.b/x'), makeSkill('a.a/s', '1.0.0', { files })],
    { org: 'acme' },
  );
  const team = await makeSegment('team', [makeServer('c.c/x')], { org: 'acme', team: 'blue' });
  return makeWorld({
    main: { segments: [all, team], claims: { org: 'acme' } },
    team: { segments: [all], claims: { org: 'acme', team: 'blue' } },
  });
}

const start = async (): Promise<ConsumerBench> => startBench(await makeTestWorld(), { callers: CALLERS });

describe('the headers of an answer', () => {
  it(`${proves('C-5-59', 'C-5-62', 'C-5-63', 'C-5-64', 'C-5-71', 'C-9-08')} are all there on every path`, async () => {
    const bench = await start();
    for (const path of PATHS) {
      const { status, headers } = await bench.ask(path, { as: 'one' });
      expect([path, status]).toEqual([path, 200]);
      expect(headers).toMatchObject({
        etag: expect.stringMatching(/^"[^"]+"$/),
        'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
        vary: 'Authorization, Accept-Encoding',
        'cache-control': 'private, no-cache',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'ETag, WWW-Authenticate, X-Request-Id',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    }
  });

  it(`${proves('C-5-63', 'C-5-65')} let shared caches keep it in anonymous mode`, async () => {
    const bench = await startBench(await makeTestWorld());
    for (const path of PATHS) {
      const { headers } = await bench.ask(path);
      expect(headers['cache-control']).toBe('public, no-cache');
      expect(headers.vary).toBe('Authorization, Accept-Encoding');
    }
  });

  it(`${proves('C-5-61', 'C-5-66', 'C-5-67')} make the next request a 304, in every encoding and on every path`, async () => {
    const bench = await start();
    for (const path of PATHS) {
      for (const encoding of ['identity', 'gzip', 'br', 'gzip, deflate, br']) {
        const ask = (etag?: string) =>
          bench.ask(path, {
            as: 'one',
            headers: { 'Accept-Encoding': encoding, ...(etag ? { 'If-None-Match': etag } : {}) },
          });
        const { etag = '', ...full } = (await ask()).headers;
        for (const header of [etag, `W/${etag}`, `"other", W/${etag}`, '*']) {
          const again = await ask(header);
          expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
          for (const name of ['vary', 'cache-control', 'last-modified', 'access-control-allow-origin']) {
            expect(again.headers[name]).toBe(full[name]);
          }
        }
        expect((await ask('"other"')).status).toBe(200);
      }
    }
    const listed = await bench.ask(PATHS[0] ?? '', { as: 'one', headers: { 'Accept-Encoding': 'gzip' } });
    expect(listed.headers['content-encoding']).toBe('gzip');
  });

  it(`${proves('C-5-60')} carry another ETag for a caller who sees other entries, and the same for one who sees the same`, async () => {
    const bench = await start();
    const tag = async (as: string) => (await bench.ask('/registry/main/v0.1/servers', { as })).headers.etag;
    expect(await tag('one')).not.toBe(await tag('two'));
    const same = await startBench(bench.world, { callers: { third: makeIdentity({ org: ['acme', 'x'] }) } });
    expect((await same.ask('/registry/main/v0.1/servers', { as: 'third' })).headers.etag).toBe(
      await tag('one'),
    );
  });

  it(`${proves('C-4-08')} change with the world: the next request answers from it`, async () => {
    const bench = await start();
    const before = await bench.ask('/registry/main/v0.1/servers', { as: 'one' });
    bench.world = bench.world.withSegment(await makeSegment('all', [makeServer('z.z/new')], { org: 'acme' }));
    const headers = { 'If-None-Match': before.headers.etag ?? '' };
    const after = await bench.ask('/registry/main/v0.1/servers', { as: 'one', headers });
    expect([after.status, String(after.body).includes('z.z/new')]).toEqual([200, true]);
  });
});

describe('OPTIONS and errors', () => {
  it(`${proves('C-5-69', 'C-5-70', 'C-12.10-03')} answer a preflight on any path without a token`, async () => {
    const bench = await start();
    for (const path of [...PATHS, '/registry/none/v0.1/servers', '/registry/main/%zz']) {
      const { status, headers, body } = await bench.ask(path, { method: 'OPTIONS' });
      expect([status, body.length]).toEqual([204, 0]);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, OPTIONS',
        'access-control-allow-headers': 'Authorization, Content-Type',
      });
    }
  });

  it.each(
    FAILING,
  )(`${proves('C-12.10-02', 'C-9-01', 'C-9-02', 'C-9-03', 'C-9-04', 'C-12.9-01', 'C-12.9-02', 'C-12.9-03', 'C-12.9-05')} explain %s by %s with a whole problem, CORS headers and nothing to cache: %i`, async (path, method, status) => {
    const reply = await (await start()).ask(path, { method, ...(status === 401 ? {} : { as: 'one' }) });
    const problem: unknown = JSON.parse(String(reply.body));
    expect(problem).toEqual({
      type: expect.stringMatching(/^https:/),
      title: expect.stringMatching(/./),
      status,
      detail: expect.stringMatching(/./),
      instance: expect.stringContaining(REQUEST_ID),
      code: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
      error: expect.stringMatching(/./),
    });
    expect(problem).toHaveProperty(
      'error',
      problem && typeof problem === 'object' && 'detail' in problem && problem.detail,
    );
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag, WWW-Authenticate, X-Request-Id',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it(`${proves('C-12.9-04')} name the methods there are`, async () => {
    const bench = await start();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PURGE']) {
      const { status, headers } = await bench.ask('/registry/main/v0.1/servers', { method, as: 'one' });
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });
});

it(`${proves('C-5-68', 'C-9-06', 'C-9-07', 'C-12.9-06')} HEAD is GET without a body, and every answer echoes a request id`, async () => {
  const runtime = await makeRuntime(await makeTestWorld().then((world) => () => world));
  const server = createServer(createListener(() => runtime, silentDeps, new Hono<AppEnv>()));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const send = (method: string, path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; headers: Record<string, unknown>; length: number }>(
      (done, fail) => {
        const sent = request({ port, method, path, headers, agent: false }, (response) => {
          let length = 0;
          response.on('data', (chunk: Buffer) => {
            length += chunk.length;
          });
          response.on('end', () => done({ status: response.statusCode, headers: response.headers, length }));
        });
        sent.on('error', fail).end();
      },
    );
  for (const path of [...PATHS, '/registry/none', '/registry/main/v0.1/servers?limit=0']) {
    const id = { 'X-Request-Id': 'my-id.42~x' };
    const [get, head] = [await send('GET', path, id), await send('HEAD', path, id)];
    const { date: _date, 'transfer-encoding': _framing, ...headers } = get.headers;
    expect(head, path).toMatchObject({ status: get.status, headers, length: 0 });
    expect(get.length).toBeGreaterThan(0);
    expect(get.headers['x-request-id']).toBe('my-id.42~x');
  }
  const made = (await send('GET', '/registry/main/v0.1/servers')).headers['x-request-id'];
  expect(made).toMatch(/^[\x21-\x7e]{1,128}$/);
  for (const bad of ['x'.repeat(129), 'a b']) {
    const other = (await send('GET', '/registry/none', { 'X-Request-Id': bad })).headers['x-request-id'];
    expect(other).toMatch(/^[0-9a-f]{16}-[0-9a-z]+$/);
  }
});
