import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Contribution } from '../../../../cli/proxy/exchange.ts';
import { proves } from '../../../requirements/proves.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { type Answer, speakMcp, startServer, type TestServer } from '../mcp-server.ts';
import { call, startTestProxy, type TestProxy, type TestProxyOptions } from '../start-test-proxy.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(
  answer: Answer = speakMcp(),
  more: Partial<TestProxyOptions> = {},
): Promise<{ proxy: TestProxy; server: TestServer }> {
  const server = await startServer(answer);
  closing.push(() => server.close());
  const proxy = await startTestProxy({ target: `${server.origin}/mcp`, ...more });
  closing.push(() => proxy.close());
  return { proxy, server };
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const observing = (observe: (message: Buffer) => void): Contribution => ({
  stages: {
    audit: (exchange, next) => {
      exchange.answerObservers.push(observe);
      return next();
    },
  },
  needsMcp: false,
  close: async () => undefined,
});

describe('requests', () => {
  it('reach the server byte for byte, with its Host, without what belongs to the connection', async () => {
    const { proxy, server } = await start();
    const body = '{ "jsonrpc":"2.0","id":1.0,"method":"x\\u0041","params":{"big":12345678901234567890} }';
    await proxy.send({
      body,
      headers: {
        connection: 'keep-alive, x-hop',
        'x-hop': '1',
        te: 'trailers',
        'x-kept': 'yes',
        authorization: 'Bearer t',
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-prefix': '/evil',
        forwarded: 'for=1',
      },
    });
    const [seen] = server.seen;
    expect(seen?.body).toBe(body);
    expect(seen?.headers).toMatchObject({
      host: `127.0.0.1:${server.port}`,
      'x-kept': 'yes',
      authorization: 'Bearer t',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': `127.0.0.1:${proxy.port}`,
      'x-forwarded-proto': 'http',
    });
    for (const name of ['x-hop', 'te', 'forwarded', 'x-forwarded-prefix'])
      expect(seen?.headers[name]).toBeUndefined();
  });

  it(`${proves('R-4.1-52', 'R-4.1-53')} carry X-Forwarded-* of the client only when they are trusted`, async () => {
    const headers = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'mcp.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '8443',
      'x-forwarded-prefix': '/p',
    };
    const { proxy, server } = await start(speakMcp(), { plan: { proxy: { trustProxyHeaders: true } } });
    await proxy.send({ body: ping, headers });
    expect(server.seen[0]?.headers).toMatchObject({
      ...headers,
      'x-forwarded-for': '203.0.113.9, 127.0.0.1',
    });
  });

  it('keep path and query of a remote, which is told nothing of our own names', async () => {
    const server = await startServer(speakMcp());
    closing.push(() => server.close());
    const url = `${server.origin}/api/v1/mcp?toolsets=a%20b&x=1`;
    const proxy = await startTestProxy({ target: url, plan: { server: { kind: 'remote', url } } });
    closing.push(() => proxy.close());
    expect((await proxy.send({ body: ping })).status).toBe(200);
    await proxy.send({ path: '/mcp?mine=1', body: ping });
    expect(server.seen.map((seen) => seen.url)).toEqual([
      '/api/v1/mcp?toolsets=a%20b&x=1',
      '/api/v1/mcp?toolsets=a%20b&x=1',
    ]);
    expect(server.seen[0]?.headers['x-forwarded-host']).toBeUndefined();
  });

  it(`${proves('K-5-11')} are streamed: the server has the beginning before the client sent the end`, async () => {
    const arrived: string[] = [];
    const { createServer } = await import('node:http');
    const raw = createServer((request, response) => {
      request.on('data', (chunk) => arrived.push(String(chunk)));
      request.on('end', () => response.end('{}'));
    });
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => void raw.close(() => resolve())));
    const address = raw.address();
    if (typeof address !== 'object' || address === null) throw new Error('no address');
    const proxy = await startTestProxy({ target: `http://127.0.0.1:${address.port}/mcp` });
    closing.push(() => proxy.close());
    const { request } = await import('node:http');
    const sent = request(proxy.url, { method: 'POST', agent: new Agent() });
    const answered = new Promise<number>((resolve) =>
      sent.on('response', (response) => resolve(response.resume().statusCode ?? 0)),
    );
    sent.write('{"first":1,');
    await waitUntil(() => arrived.join('') === '{"first":1,', 'the beginning');
    sent.end('"last":2}');
    expect(await answered).toBe(200);
    expect(arrived.join('')).toBe('{"first":1,"last":2}');
  });

  it('follow redirects within the origin only', async () => {
    const { proxy, server } = await start((request, response) => {
      if (request.url === '/mcp') response.writeHead(307, { location: '/other?y=1' }).end();
      else response.end('{"there":1}');
    });
    expect((await proxy.send({ body: ping })).text).toBe('{"there":1}');
    expect(server.seen.map(({ url, body }) => [url, body])).toEqual([
      ['/mcp', JSON.stringify(ping)],
      ['/other?y=1', JSON.stringify(ping)],
    ]);
    const { proxy: led } = await start(
      (_request, response) => void response.writeHead(302, { location: `${server.origin}/x` }).end(),
    );
    const reply = await led.send({ body: ping });
    expect([reply.status, reply.json.id, reply.headers.location]).toEqual([502, 1, undefined]);
    expect(server.seen).toHaveLength(2);
  });
});

describe('answers', () => {
  it(`${proves('K-5-08', 'K-5-12')} come as the server wrote them: status, headers, bytes, events`, async () => {
    const text =
      ': c\u{1F680}\n\nretry: 5\n\nid: e1\ndata: {"a":\ndata: 1.0}\n\nid: e2\r\ndata: {"big":12345678901234567890}\r\n\r\n';
    const { proxy } = await start((_request, response) => {
      response.writeHead(207, {
        'content-type': 'text/event-stream',
        'x-own': 'kept',
        'access-control-allow-origin': '*',
      });
      response.end(text);
    });
    const reply = await proxy.send({ body: ping });
    expect([
      reply.status,
      reply.headers['x-own'],
      reply.headers['access-control-allow-origin'],
      reply.text,
    ]).toEqual([207, 'kept', undefined, text]);
  });

  it(`${proves('K-5-11')} are streamed, event by event`, async () => {
    let more: (text: string) => void = () => undefined;
    const { proxy } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      more = (text) => void response.write(text);
      more('data: 1\n\n');
    });
    const stream = await proxy.open({ body: ping });
    await waitUntil(() => stream.text() === 'data: 1\n\n', 'the first event');
    more('data: 2\n\n');
    await waitUntil(() => stream.text() === 'data: 1\n\ndata: 2\n\n', 'the second event');
    stream.request.destroy();
  });

  it(`${proves('K-5-11')} are read only as fast as the client takes them`, async () => {
    const total = 64 * 1024 * 1024;
    let written = 0;
    const { proxy } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      const push = (): void => {
        while (written < total) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', push);
        }
        response.end();
      };
      push();
    });
    const { request } = await import('node:http');
    const response = await new Promise<import('node:http').IncomingMessage>((resolve) => {
      request(proxy.url, { method: 'POST', agent: new Agent() }, resolve).end('{}');
    });
    await waitUntil(() => written > 65_536, 'the beginning');
    let before = -1;
    await waitUntil(async () => {
      const isStill = before === written;
      before = written;
      await pause(100);
      return isStill;
    }, 'a server that waits');
    expect(written).toBeLessThan(total / 2);
    let got = 0;
    for await (const chunk of response) got += chunk.length;
    expect(got).toBe(total);
  });

  it('are shown to observers whole, and pass unchanged', async () => {
    const shown: string[] = [];
    const text = ': c\n\nid: 1\ndata: {"a":\ndata: 1.0}\n\n';
    const answer: Answer = (request, response) => {
      const isSse = request.headers['x-sse'] === '1';
      response.writeHead(200, { 'content-type': isSse ? 'text/event-stream' : 'application/json' });
      response.end(isSse ? text : '{"big":12345678901234567890}');
    };
    const { proxy, server } = await start(answer, {
      contributions: () => [observing((message) => shown.push(String(message)))],
    });
    expect((await proxy.send({ body: ping, headers: { 'accept-encoding': 'gzip' } })).text).toBe(
      '{"big":12345678901234567890}',
    );
    expect((await proxy.send({ body: ping, headers: { 'x-sse': '1' } })).text).toBe(text);
    expect(shown).toEqual(['{"big":12345678901234567890}', '{"a":\n1.0}']);
    expect(server.seen[0]?.headers['accept-encoding']).toBe('identity');
  });
});

describe('sessions', () => {
  it(`${proves('K-5-02', 'K-8.5-06')} are opened by the server, carry the GET stream, and end with 204`, async () => {
    const { proxy, server } = await start();
    const session = await proxy.initialize();
    expect((await proxy.send({ session, body: call(1, 'echo') })).status).toBe(200);
    const stream = await proxy.open({ session });
    await waitUntil(() => stream.text() === ': open\n\n', 'the stream');
    expect((await proxy.send({ session, method: 'DELETE' })).status).toBe(204);
    const before = server.seen.length;
    expect((await proxy.send({ session, body: ping })).status).toBe(404);
    expect(server.seen).toHaveLength(before);
    stream.request.destroy();
  });

  it(`${proves('K-5-15', 'K-8.5-02')} that are unknown are 404 -32001 before the server is asked`, async () => {
    const { proxy, server } = await start();
    for (const [method, body] of [
      ['POST', ping],
      ['GET', undefined],
      ['DELETE', undefined],
    ] as const) {
      const reply = await proxy.send({ method, session: 'made-up', ...(body ? { body } : {}) });
      expect([method, reply.status, reply.json.error.code]).toEqual([method, 404, -32001]);
      expect(reply.json.id).toBe(method === 'POST' ? 1 : null);
    }
    expect(server.seen).toHaveLength(0);
  });

  it(`${proves('K-8.5-01')} need their id: without one the server's 400 is passed on, and DELETE is refused`, async () => {
    const { proxy, server } = await start((_request, response) => void response.writeHead(400).end('{}'));
    expect((await proxy.send({ body: ping })).status).toBe(400);
    expect((await proxy.send()).status).toBe(400);
    expect(server.seen).toHaveLength(2);
    expect((await proxy.send({ method: 'DELETE' })).status).toBe(400);
    expect(server.seen).toHaveLength(2);
  });

  it(`${proves('K-5-14', 'R-4.1-47')} expire when they are not used, and the server is told`, async () => {
    let now = 1_000_000;
    const { proxy, server } = await start(speakMcp(), {
      plan: { proxy: { sessionTtlMs: 60_000 } },
      backend: { now: () => now },
    });
    const session = await proxy.initialize();
    now += 59_000;
    expect((await proxy.send({ session, body: ping })).status).toBe(200);
    now += 59_000;
    const stream = await proxy.open({ session });
    now += 120_000;
    expect((await proxy.send({ session, body: ping })).status).toBe(200);
    stream.request.destroy();
    await waitUntil(() => server.openAnswers() === 0, 'the end of the stream');
    now += 61_000;
    const reply = await proxy.send({ session, body: ping });
    expect([reply.status, reply.json.error.code]).toEqual([404, -32001]);
    await waitUntil(
      () =>
        server.seen.some(
          ({ method, headers }) => method === 'DELETE' && headers['mcp-session-id'] === session,
        ),
      'the DELETE',
    );
  });

  it(`${proves('R-4.1-48')} live two hours when nothing, or zero, is said`, async () => {
    for (const proxyPlan of [{}, { sessionTtlMs: 0 }]) {
      let now = 1_000_000;
      const { proxy } = await start(speakMcp(), { plan: { proxy: proxyPlan }, backend: { now: () => now } });
      const session = await proxy.initialize();
      now += 7_199_000;
      expect((await proxy.send({ session, body: ping })).status).toBe(200);
      now += 7_201_000;
      expect((await proxy.send({ session, body: ping })).status).toBe(404);
    }
  });

  it('belong to who opened them', async () => {
    const as: Contribution = {
      stages: {
        authentication: (exchange, next) => {
          const subject = String(exchange.request.headers['x-subject']);
          exchange.identity = {
            subject,
            held: new Map(),
            roles: [],
            unrestricted: true,
            superAdmin: false,
            anonymous: false,
            expiresAt: 0,
          };
          return next();
        },
      },
      needsMcp: false,
      close: async () => undefined,
    };
    const { proxy } = await start(speakMcp(), { contributions: () => [as] });
    const params = { protocolVersion: '2025-11-25', capabilities: {} };
    const opened = await proxy.send({
      headers: { 'x-subject': 'alice' },
      body: { ...ping, method: 'initialize', params },
    });
    const session = String(opened.headers['mcp-session-id']);
    expect((await proxy.send({ session, headers: { 'x-subject': 'alice' }, body: ping })).status).toBe(200);
    expect((await proxy.send({ session, headers: { 'x-subject': 'mallory' }, body: ping })).status).toBe(404);
  });
});

describe('revisions', () => {
  it(`${proves('K-5-09', 'K-8.5-05')} without batches have them refused with 400 -32600, the others pass`, async () => {
    const { proxy, server } = await start();
    for (const version of ['2025-06-18', '2025-11-25']) {
      const session = await proxy.initialize(version);
      const reply = await proxy.send({ session, body: ' \n[{"jsonrpc":"2.0","id":1,"method":"ping"}]' });
      expect([version, reply.status, reply.json.error.code]).toEqual([version, 400, -32600]);
    }
    expect((await proxy.send({ body: [ping] })).status).toBe(400);
    const session = await proxy.initialize('2025-03-26');
    const before = server.seen.length;
    expect((await proxy.send({ session, body: [ping] })).status).toBe(200);
    expect(server.seen).toHaveLength(before + 1);
  });

  it(`${proves('K-5-03')} without sessions pass as they are, and the server says 405 to GET`, async () => {
    const { proxy, server } = await start((request, response) => {
      response.writeHead(request.method === 'POST' ? 200 : 405).end('{}');
    });
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' };
    expect((await proxy.send({ headers, body: call(1, 'echo') })).status).toBe(200);
    expect(server.seen[0]?.headers).toMatchObject(headers);
    expect((await proxy.send({ headers })).status).toBe(405);
    expect((await proxy.send({ headers, body: [ping] })).status).toBe(400);
  });
});

describe('ends', () => {
  it(`${proves('K-5-16')} of a client free what it held, at the server too`, async () => {
    const { proxy, server } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    const streams = await Promise.all(
      Array.from({ length: 20 }, (_, id) => proxy.open({ body: { ...ping, id } })),
    );
    await waitUntil(() => server.openAnswers() === 20, 'the streams');
    for (const { request } of streams) request.destroy();
    await waitUntil(() => server.openAnswers() === 0, 'their ends');
  });

  it(`${proves('K-8.5-14')} of the server answer a pending call at once, before and after its stream began`, async () => {
    const { proxy, server } = await start((request, response) => {
      if (request.headers['x-begin'] === '1') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: {"jsonrpc":"2.0","method":"x"}\n\n');
      }
    });
    const pending = proxy.send({ body: { ...ping, id: 'p' } });
    const begun = await proxy.open({ body: { ...ping, id: 'b' }, headers: { 'x-begin': '1' } });
    await waitUntil(() => server.openAnswers() === 2, 'both calls');
    await server.close();
    closing.shift();
    const reply = await pending;
    expect([reply.status, reply.json.id, reply.json.error.code]).toEqual([502, 'p', -32000]);
    await waitUntil(() => begun.ended(), 'the end of the stream');
    expect(JSON.parse(begun.text().split('data: ').at(-1) ?? '')).toMatchObject({
      id: 'b',
      error: { code: -32000 },
    });
    const away = await proxy.send({ body: ping });
    expect([away.status, away.json.id, away.headers['retry-after']]).toEqual([503, 1, '2']);
  });

  it('of credentials are 503 with Retry-After, and a 401 of the server is told', async () => {
    const challenges: (string | undefined)[] = [];
    let token: string | undefined = 'good';
    const { proxy, server } = await start(
      (request, response) => {
        const isGood = request.headers.authorization === 'Bearer good';
        response
          .writeHead(isGood ? 200 : 401, isGood ? {} : { 'www-authenticate': 'Bearer realm="r"' })
          .end('{}');
      },
      {
        backend: {
          credentials: () =>
            token === undefined
              ? Promise.reject(new Error('gone'))
              : Promise.resolve({ authorization: `Bearer ${token}` }),
          onUnauthorized: (challenge) => challenges.push(challenge),
        },
      },
    );
    expect((await proxy.send({ body: ping, headers: { authorization: 'Bearer client' } })).status).toBe(200);
    token = 'bad';
    expect((await proxy.send({ body: ping })).status).toBe(401);
    expect(challenges).toEqual(['Bearer realm="r"']);
    token = undefined;
    const reply = await proxy.send({ body: ping });
    expect([reply.status, reply.headers['retry-after'] !== undefined, server.seen.length]).toEqual([
      503,
      true,
      2,
    ]);
  });

  it(`${proves('K-5-16')} of a thousand connections leave nothing behind`, async () => {
    const { proxy, server } = await start();
    const handles = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
    const round = async (count: number) => {
      for (let done = 0; done < count; done += 25) {
        await Promise.all(Array.from({ length: 25 }, () => proxy.send({ body: ping, agent: new Agent() })));
      }
      await waitUntil(() => server.openAnswers() === 0, 'idleness');
    };
    await round(100);
    const before = handles();
    await round(1000);
    await waitUntil(() => handles() <= before, `no more than ${before} handles`);
  });
});

describe('what the proxy asks by itself', () => {
  it('is who the server is, and its tools on every page, without leaving a session', async () => {
    const { createHttpBackend } = await import('../../../../cli/proxy/http/create-http-backend.ts');
    const { proxy, server } = await start(speakMcp({ page: 1, sse: true }));
    const backend = createHttpBackend({
      target: () => new URL(`${server.origin}/mcp`),
      transport: 'streamable-http',
      proxy: proxy.plan.proxy,
      isRemote: false,
      log: () => undefined,
    });
    closing.push(() => backend.close());
    const signal = AbortSignal.timeout(5000);
    expect(await backend.probe(signal)).toEqual({
      name: 'test',
      version: '2',
      protocolVersion: '2025-11-25',
    });
    expect((await backend.listTools(signal)).map(({ name, annotations }) => [name, annotations])).toEqual([
      ['echo', {}],
      ['add', { readOnlyHint: true }],
      ['drop', {}],
    ]);
    expect(server.seen.filter(({ method }) => method === 'DELETE')).toHaveLength(2);
  });

  it(`${proves('K-5-03')} finds a server that has no sessions by server/discover`, async () => {
    const { createHttpBackend } = await import('../../../../cli/proxy/http/create-http-backend.ts');
    const { proxy, server } = await start((request, response, body) => {
      const { id, method, params } = JSON.parse(body.toString('utf8'));
      const isKnown = request.headers['mcp-method'] === method && params._meta !== undefined;
      const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'new', version: '3' } };
      const result =
        method === 'tools/list' ? { tools: [{ name: 'one' }] } : { supportedVersions: ['2026-07-28'], _meta };
      const error = { code: -32601, message: 'Method not found' };
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(isKnown ? { result } : { error }) }));
    });
    const backend = createHttpBackend({
      target: () => new URL(server.origin),
      transport: 'streamable-http',
      proxy: proxy.plan.proxy,
      isRemote: false,
      log: () => undefined,
    });
    closing.push(() => backend.close());
    const signal = AbortSignal.timeout(5000);
    expect(await backend.probe(signal)).toEqual({ name: 'new', version: '3', protocolVersion: '2026-07-28' });
    expect(await backend.listTools(signal)).toEqual([{ name: 'one', annotations: {} }]);
  });

  it.each([
    ['server_unauthorized', 401, ''],
    ['server_not_mcp', 200, '<html>'],
    [
      'server_refused',
      200,
      '{"jsonrpc":"2.0","id":"berth-initialize","error":{"code":-32603,"message":"no config"}}',
    ],
  ])('fails with %s', async (code, status, body) => {
    const { createHttpBackend } = await import('../../../../cli/proxy/http/create-http-backend.ts');
    const { proxy, server } = await start((_request, response) => void response.writeHead(status).end(body));
    const backend = createHttpBackend({
      target: () => new URL(server.origin),
      transport: 'streamable-http',
      proxy: proxy.plan.proxy,
      isRemote: false,
      log: () => undefined,
    });
    closing.push(() => backend.close());
    await expect(backend.probe(AbortSignal.timeout(5000))).rejects.toMatchObject({ code });
  });
});
