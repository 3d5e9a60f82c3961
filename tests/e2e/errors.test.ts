import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { inlineSource } from '../support/catalogs.ts';
import { startHeldIntrospection } from '../support/held-introspection.ts';
import type { Ask, Reply } from '../support/http-client.ts';
import { type Service, startService } from '../support/start-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const SERVERS = '/registry/tools/v0.1/servers';
const MEMBERS = ['type', 'title', 'status', 'detail', 'instance', 'code', 'error'];
const config = (more: object = {}) => ({
  sources: [inlineSource('tools', ['com.acme/one']), { name: 'published', managed: {} }],
  registries: [{ name: 'tools', sources: ['tools', 'published'] }],
  auth: { mode: 'anonymous' },
  ...more,
});
let service: Service;
beforeAll(async () => {
  service = await startService(config({ limits: { maxBodyBytes: 2048, maxPageSize: 7 } }));
});
afterAll(() => service?.stop());

function expectProblem(reply: Reply, status: number): void {
  expect(reply.status).toBe(status);
  expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  for (const member of MEMBERS) expect(reply.json[member], member).toBeTruthy();
  expect(reply.json.status).toBe(status);
  expect(reply.json.error).toBe(reply.json.detail);
  expect(reply.json.code).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
  expect(reply.json.instance).toContain(reply.headers.get('x-request-id'));
  expect(reply.text).not.toMatch(/\bat .+:\d+:\d+|node_modules|\.ts\b|\/(tmp|root|home|work)\//);
}

describe('an error', () => {
  const wrong: [number, string, string, Ask?][] = [
    [404, 'no such path', '/nowhere'],
    [404, 'no such path below /v1', '/v1/nowhere'],
    [404, 'no such registry', '/registry/none/v0.1/servers'],
    [404, 'no such server', `${SERVERS}/com.acme%2Fnone/versions/latest`],
    [404, 'no such path in a registry', '/registry/tools/v0.1/nowhere'],
    [404, 'no such registry version', '/registry/tools/v9/servers'],
    [405, 'a write to the consumer API', SERVERS, { method: 'POST', body: {} }],
    [405, 'a method the admin API has not', '/v1/sources', { method: 'DELETE' }],
    [405, 'a method /registry has not', '/registry', { method: 'PUT' }],
    [400, 'limit 0', `${SERVERS}?limit=0`],
    [400, 'limit over the maximum', `${SERVERS}?limit=8`],
    [400, 'a damaged cursor', `${SERVERS}?cursor=AAAA`],
    [400, 'broken percent-encoding', `${SERVERS}/%zz/versions`],
    [400, 'a body that is no JSON', '/v1/entries', { method: 'POST', body: '{' }],
    [400, 'a body of the wrong shape', '/v1/registries/new', { method: 'PUT', body: { sources: [] } }],
    [413, 'a body over the limit', '/v1/entries', { method: 'POST', body: { server: 'x'.repeat(2048) } }],
    [401, 'who am I, anonymously', '/v1/me'],
  ];
  it.each(
    wrong,
  )(`${proves('C-9-01', 'C-9-02', 'C-9-03', 'C-9-04', 'C-9-05', 'C-9-08', 'C-9-09', 'C-2-73', 'C-12.9-01', 'C-12.9-02', 'C-12.9-03', 'C-12.9-05')} %i has the documented body: %s`, async (status, _, path, how) =>
    expectProblem(await service.ask(path, how), status));

  it(`${proves('C-12.9-04')} 405 names the methods that are allowed`, async () => {
    const allowed = async (path: string, method: string) =>
      (await service.ask(path, { method })).headers.get('allow')?.split(', ').sort();
    expect(await allowed(SERVERS, 'DELETE')).toEqual(['GET', 'HEAD', 'OPTIONS']);
    expect(await allowed('/v1/sources/tools', 'POST')).toEqual(['DELETE', 'GET', 'HEAD', 'PUT']);
    expect(await allowed('/v1/entries', 'GET')).toEqual(['POST']);
  });

  it(`${proves('C-12.10-02')} carries the CORS headers on the consumer API`, async () => {
    for (const path of [
      '/registry/none/v0.1/servers',
      `${SERVERS}?limit=0`,
      `${SERVERS}/com.acme%2Fnone/versions`,
    ]) {
      const { headers } = await service.ask(path, { headers: { Origin: 'https://editor.example' } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  it(`${proves('C-9-09', 'C-2-73')} 413 also answers a body whose length was not told`, async () => {
    const chunk = new TextEncoder().encode('x'.repeat(1000));
    const body = new ReadableStream({
      start(stream) {
        for (let i = 0; i < 5; i++) stream.enqueue(chunk);
        stream.close();
      },
    });
    const options = { method: 'POST', body, duplex: 'half', headers: { 'Content-Type': 'application/json' } };
    const response = await fetch(`${service.url}/v1/entries`, options as RequestInit);
    expect(response.status).toBe(413);
    const small = { server: { name: 'com.acme/new', description: 'd', version: '1.0.0' } };
    expect((await service.ask('/v1/entries', { method: 'POST', body: small })).status).toBe(201);
  });

  it(`${proves('C-2-75')} 400 answers a limit over limits.maxPageSize, 200 the maximum itself`, async () => {
    expect((await service.ask(`${SERVERS}?limit=7`)).status).toBe(200);
    expect((await service.ask(`${SERVERS}?limit=8`)).json.detail).toContain('7');
  });
});

describe('the request id', () => {
  const paths = [SERVERS, '/registry', '/v1/me', '/nowhere', '/openapi.json', '/registry/none/v0.1/servers'];
  const idOf = async (path: string, sent?: string) => {
    const headers: Record<string, string> = sent === undefined ? {} : { 'X-Request-Id': sent };
    return (await service.ask(path, { headers })).headers.get('x-request-id') ?? '';
  };
  it.each(
    paths,
  )(`${proves('C-9-06', 'C-9-07', 'C-12.9-06')} is echoed, made when there is none, and replaced when it is not valid: %s`, async (path) => {
    expect(await idOf(path, 'from-the-client_1')).toBe('from-the-client_1');
    expect(await idOf(path, 'x'.repeat(128))).toBe('x'.repeat(128));
    const made = await idOf(path);
    expect(made).toMatch(/^[\x21-\x7e]{8,128}$/);
    expect(await idOf(path)).not.toBe(made);
    for (const bad of ['x'.repeat(129), 'with blank', 'caf\u00e9']) {
      const replaced = await idOf(path, bad);
      expect(replaced).toMatch(/^[\x21-\x7e]{8,128}$/);
      expect(replaced).not.toBe(bad);
    }
  });
});

describe('limits', () => {
  it(`${proves('C-9-10', 'C-2-72')} limits.requestTimeout ends a request with 504, which is recorded like any other`, async () => {
    const held = await startHeldIntrospection();
    const oauth = { resourceUrl: 'http://registry.example.test', providers: [held.provider] };
    const slow = await startService(config({ auth: { oauth }, limits: { requestTimeout: '1s' } }));
    try {
      for (const path of [SERVERS, '/v1/me']) {
        const started = performance.now();
        expectProblem(await slow.ask(path, { token: `opaque-${path.length}` }), 504);
        expect(performance.now() - started).toBeLessThan(4000);
      }
      const { text } = await slow.probe('/metrics');
      const counted = [...text.matchAll(/request_duration_seconds_count\{.*status="504"\} (\d+)/g)];
      expect(counted.map(([, count]) => Number(count)).reduce((sum, count) => sum + count, 0)).toBe(2);
    } finally {
      await slow.stop();
      await held.close();
    }
  });

  it(`${proves('C-9-11', 'C-2-76')} limits.rateLimit answers 429 with Retry-After, per caller, and lets in again after it`, async () => {
    const held = await startHeldIntrospection();
    held.release();
    const oauth = { resourceUrl: 'http://registry.example.test', providers: [held.provider] };
    const limited = await startService(
      config({ auth: { oauth }, limits: { rateLimit: { perMinute: 120, burst: 3 } } }),
    );
    try {
      const token = 'opaque';
      const statuses: number[] = [];
      for (const path of [SERVERS, '/v1/me', SERVERS])
        statuses.push((await limited.ask(path, { token })).status);
      expect(statuses).toEqual([200, 200, 200]);
      for (const path of [SERVERS, '/v1/me']) {
        const refused = await limited.ask(path, { token });
        expectProblem(refused, 429);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      }
      expect((await limited.ask('/.well-known/oauth-protected-resource')).status).toBe(200);
      await waitUntil(
        async () => (await limited.ask(SERVERS, { token })).status === 200,
        'being let in again',
      );
    } finally {
      await limited.stop();
      await held.close();
    }
  });

  it(`${proves('C-2-76')} without limits.rateLimit nobody is limited`, async () => {
    const replies = await Promise.all(Array.from({ length: 150 }, () => service.ask(SERVERS)));
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
  });
});
