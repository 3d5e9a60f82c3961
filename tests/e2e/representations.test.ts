import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { type LoopbackIdp, startIdp } from '../server/auth/loopback-idp.ts';
import { inlineSource } from '../support/catalogs.ts';
import { type Service, startService } from '../support/start-service.ts';

const SERVERS = '/registry/tools/v0.1/servers';
const PATHS = [
  `${SERVERS}?limit=100`,
  `${SERVERS}/com.acme%2Fone/versions`,
  '/registry/tools/.well-known/agent-skills/index.json',
];
const names = Array.from({ length: 20 }, (_, i) => `com.acme/tool-${i}`);
let idp: LoopbackIdp;
let service: Service;
let token: string;

beforeAll(async () => {
  idp = await startIdp();
  token = idp.mint({ org: 'acme' });
  service = await startService({
    sources: [
      inlineSource('tools', ['com.acme/one', ...names], { claims: { org: ['acme', 'globex'] } }),
      inlineSource('inner', ['com.acme/inner'], { claims: { org: 'acme' } }),
    ],
    registries: [{ name: 'tools', sources: ['tools', 'inner'], claims: { org: ['acme', 'globex'] } }],
    auth: {
      oauth: { resourceUrl: 'http://registry.example.test', providers: [idp.provider()] },
      authz: { roles: {} },
    },
  });
});
afterAll(async () => {
  await service?.stop();
  await idp?.close();
});

interface RawReply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Asks without decoding anything. */
function askRaw(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const sent = request(service.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    sent.once('error', reject);
    sent.once('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) });
    });
    sent.end();
  });
}

describe.each(PATHS)('%s', (path) => {
  it(`${proves('C-5-59', 'C-5-61', 'C-5-62', 'C-5-63', 'C-5-64')} has a strong ETag, is 304 while it holds, and is for this caller only`, async () => {
    const first = await askRaw(path);
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(Date.parse(String(first.headers['last-modified']))).toBeGreaterThan(0);
    expect(first.headers.vary).toBe('Authorization, Accept-Encoding');
    expect(first.headers['cache-control']).toBe('private, no-cache');
    for (const held of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const again = await askRaw(path, { 'if-none-match': held });
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
    }
    expect((await askRaw(path, { 'if-none-match': '"another"' })).status).toBe(200);
  });

  it(`${proves('C-5-68')} answers HEAD like GET, without the body`, async () => {
    const [got, head] = [await askRaw(path), await askRaw(path, {}, 'HEAD')];
    const { date: _a, 'x-request-id': _b, ...expected } = got.headers;
    const { date: _c, 'x-request-id': _d, ...headers } = head.headers;
    expect(headers).toEqual(expected);
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(Number(head.headers['content-length'])).toBe(got.body.length);
  });

  it(`${proves('C-5-69', 'C-12.10-03', 'C-5-70')} answers OPTIONS and a preflight without a token`, async () => {
    const { status, headers } = await service.ask(path, {
      method: 'OPTIONS',
      headers: { Origin: 'https://editor.example', 'Access-Control-Request-Method': 'GET' },
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe('GET, OPTIONS');
    expect(headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type');
  });

  it(`${proves('C-5-70', 'C-5-71')} allows every origin to read it`, async () => {
    const { headers } = await service.ask(path, { token, headers: { Origin: 'https://editor.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toBe('ETag, WWW-Authenticate, X-Request-Id');
  });
});

describe('a list', () => {
  it(`${proves('C-5-66', 'C-5-67', 'C-5-59')} comes compressed when that is accepted, each form with its own ETag`, async () => {
    const plain = await askRaw(SERVERS, { 'accept-encoding': 'identity' });
    const zipped = await askRaw(SERVERS, { 'accept-encoding': 'gzip' });
    const brotli = await askRaw(SERVERS, { 'accept-encoding': 'br' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect([zipped.headers['content-encoding'], brotli.headers['content-encoding']]).toEqual(['gzip', 'br']);
    expect(gunzipSync(zipped.body)).toEqual(plain.body);
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
    expect(new Set([plain, zipped, brotli].map(({ headers }) => headers.etag)).size).toBe(3);
    expect((await askRaw(SERVERS, { 'accept-encoding': 'gzip;q=0, br;q=0' })).body).toEqual(plain.body);
  });

  it(`${proves('C-5-60')} has another ETag for a caller who sees something else, and the same for one who does not`, async () => {
    const etagFor = async (claims: object) => {
      const authorization = `Bearer ${idp.mint({ ...claims })}`;
      return (await askRaw(`${SERVERS}?limit=100`, { authorization })).headers.etag;
    };
    const acme = await etagFor({ org: 'acme' });
    expect(await etagFor({ org: 'globex' })).not.toBe(acme);
    expect(await etagFor({ org: 'acme', sub: 'another', team: 'data' })).toBe(acme);
  });
});

it(`${proves('C-5-69', 'C-12.10-02', 'C-12.10-03')} the list of registries can be read by browsers too, errors included`, async () => {
  const headers = { Origin: 'https://editor.example' };
  const preflight = await service.ask('/registry', { method: 'OPTIONS', headers });
  expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
    204,
    'Authorization, Content-Type',
  ]);
  const refused = await service.ask('/registry', { headers });
  const answered = await service.ask('/registry', { headers, token });
  expect([refused.status, answered.status]).toEqual([401, 200]);
  for (const reply of [preflight, refused, answered]) {
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(reply.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  }
});

it(`${proves('C-5-65')} in anonymous mode answers are public`, async () => {
  const open = await startService({
    sources: [inlineSource('tools', ['com.acme/one'])],
    registries: [{ name: 'tools', sources: ['tools'] }],
    auth: { mode: 'anonymous' },
  });
  try {
    expect((await open.ask(SERVERS)).headers.get('cache-control')).toMatch(/^public\b/);
  } finally {
    await open.stop();
  }
});
