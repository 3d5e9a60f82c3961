import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxy } from '../../../cli/proxy/start-proxy.ts';
import { BerthError } from '../../../sources/errors.ts';
import { proves } from '../../requirements/proves.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { speakMcp, startServer, type TestServer } from './mcp-server.ts';
import { ask, startTestProxy, type TestProxy, type TestProxyOptions } from './start-test-proxy.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(
  more: Partial<TestProxyOptions> = {},
): Promise<{ proxy: TestProxy; server: TestServer }> {
  const server = await startServer(speakMcp());
  closing.push(() => server.close());
  const proxy = await startTestProxy({ target: `${server.origin}/mcp`, ...more });
  closing.push(() => proxy.close());
  return { proxy, server };
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('where the proxy listens', () => {
  it(`${proves('K-5-01', 'R-4.1-10')} is 127.0.0.1 and /mcp when nothing else is said`, async () => {
    const { proxy } = await start();
    expect(proxy.url).toBe(`http://127.0.0.1:${proxy.port}/mcp`);
    expect((await proxy.send({ body: ping })).status).toBe(200);
  });

  it('is /sse for SSE, and the path of a remote', async () => {
    const { proxy: sse } = await start({ plan: { transport: 'sse' } });
    expect(new URL(sse.url).pathname).toBe('/sse');
    const remote = { kind: 'remote', url: 'http://127.0.0.1:1/api/v1/mcp?x=1' } as const;
    const { proxy } = await start({ plan: { server: remote } });
    expect(proxy.url).toBe(`http://127.0.0.1:${proxy.port}/api/v1/mcp`);
  });

  it.each([
    '127.0.0.1',
    '::1',
    'localhost',
    '0.0.0.0',
  ])(`${proves('K-5-21', 'R-4.1-10')} takes %s as its host`, async (host) => {
    const { proxy } = await start({ plan: { proxy: { host } } });
    expect((await proxy.send({ body: ping })).status).toBe(200);
  });

  it(`${proves('R-4.1-11')} takes the port it is given, and names it when it is busy`, async () => {
    const { proxy: first } = await start();
    await first.close();
    closing.pop();
    const { proxy, server } = await start({ plan: { proxy: { port: first.port } } });
    expect(proxy.port).toBe(first.port);
    const again = startTestProxy({ target: server.origin, plan: { proxy: { port: first.port } } });
    await expect(again).rejects.toMatchObject({
      code: 'proxy_port_busy',
      message: expect.stringContaining(String(first.port)),
    });
    await expect(again).rejects.toBeInstanceOf(BerthError);
  });
});

describe('who may call', () => {
  it(`${proves('K-5-18', 'K-8.5-03')} refuses a foreign Host on loopback binds and takes our names`, async () => {
    const { proxy, server } = await start();
    for (const host of ['evil.example', `evil.example:${proxy.port}`, '127.0.0.1', '127.0.0.1:1']) {
      expect((await proxy.send({ body: ping, headers: { host } })).status).toBe(403);
    }
    expect(server.seen).toHaveLength(0);
    for (const name of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
      expect((await proxy.send({ body: ping, headers: { host: `${name}:${proxy.port}` } })).status).toBe(200);
    }
  });

  it(`${proves('K-5-17', 'K-8.5-04', 'K-8.5-10', 'R-4.1-50')} lets only the loopback origins of its port in by default`, async () => {
    const { proxy, server } = await start();
    const { port } = proxy;
    for (const origin of [
      'http://evil.example',
      'null',
      `https://127.0.0.1:${port}`,
      `http://localhost:${port}.evil`,
      'http://localhost',
    ]) {
      const reply = await proxy.send({ body: ping, headers: { origin } });
      expect([origin, reply.status, reply.json.error.code]).toEqual([origin, 403, -32600]);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(server.seen).toHaveLength(0);
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const reply = await proxy.send({ body: ping, headers: { origin: `http://${name}:${port}` } });
      expect(reply.status).toBe(200);
    }
  });

  it(`${proves('R-4.1-49')} takes --allowed-origins exactly, and nothing beside it`, async () => {
    const { proxy } = await start({ plan: { proxy: { allowedOrigins: ['https://app.example'] } } });
    const statusFor = async (origin: string) =>
      (await proxy.send({ body: ping, headers: { origin } })).status;
    expect(await statusFor('https://app.example')).toBe(200);
    expect(await statusFor('https://app.example:444')).toBe(403);
    expect(await statusFor('https://sub.app.example')).toBe(403);
    expect(await statusFor(`http://127.0.0.1:${proxy.port}`)).toBe(403);
  });

  it(`${proves('R-4.1-51')} warns when everybody may call: no loopback bind and no list`, async () => {
    const { proxy } = await start({ plan: { proxy: { host: '0.0.0.0' } } });
    expect(proxy.logged.filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect((await proxy.send({ body: ping, headers: { origin: 'https://any.example' } })).status).toBe(200);
    expect((await proxy.send({ body: ping, headers: { origin: 'null' } })).status).toBe(403);
    const { proxy: listed } = await start({ plan: { proxy: { host: '0.0.0.0', allowedOrigins: [] } } });
    expect(listed.logged).toHaveLength(0);
  });

  it(`${proves('K-5-19', 'K-8.5-11')} answers preflights of allowed origins with what MCP needs`, async () => {
    const { proxy, server } = await start();
    const origin = `http://localhost:${proxy.port}`;
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'mcp-param-city, x-other',
    };
    const reply = await proxy.send({ method: 'OPTIONS', headers: { origin, ...asked } });
    expect(reply.status).toBe(204);
    expect(reply.headers['access-control-allow-origin']).toBe(origin);
    expect(reply.headers['access-control-allow-methods']?.split(', ')).toEqual([
      'GET',
      'POST',
      'DELETE',
      'OPTIONS',
    ]);
    expect(reply.headers['access-control-allow-headers']?.split(', ')).toEqual([
      'content-type',
      'authorization',
      'mcp-session-id',
      'mcp-protocol-version',
      'last-event-id',
      'mcp-method',
      'mcp-name',
      'mcp-param-city',
    ]);
    const foreign = await proxy.send({
      method: 'OPTIONS',
      headers: { origin: 'http://evil.example', ...asked },
    });
    expect([foreign.status, foreign.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    expect(server.seen).toHaveLength(0);
    const plain = await proxy.send({ body: ping, headers: { origin } });
    expect(plain.headers['access-control-expose-headers']).toBe('Mcp-Session-Id, WWW-Authenticate');
    expect(plain.headers.vary).toContain('Origin');
  });
});

describe('what needs no server', () => {
  it(`${proves('K-5-20', 'K-8.5-09')} answers /health, also while the server is away`, async () => {
    let target: URL | undefined;
    const { proxy, server } = await start({ target: () => target });
    expect((await proxy.send({ path: '/health' })).json).toMatchObject({
      status: 'degraded',
      server: { available: false },
    });
    target = new URL(server.origin);
    const reply = await proxy.send({ path: '/health' });
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json']);
    expect(reply.json).toMatchObject({
      status: 'healthy',
      transport: 'streamable-http',
      server: { available: true },
    });
  });

  it(`${proves('K-8.5-07')} refuses PUT with what is allowed, and knows no other path`, async () => {
    const { proxy, server } = await start();
    const put = await proxy.send({ method: 'PUT', body: ping });
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, POST, DELETE, OPTIONS']);
    expect((await proxy.send({ path: '/other' })).json.error).toBe('not_found');
    expect(server.seen).toHaveLength(0);
  });

  it(`${proves('K-8.5-08')} has /metrics only when a link brings it`, async () => {
    const { proxy } = await start();
    expect((await proxy.send({ path: '/metrics' })).status).toBe(404);
    const metrics = { stages: {}, needsMcp: false, close: async () => undefined };
    const { proxy: measured } = await start({
      contributions: () => [
        { ...metrics, routes: { '/metrics': (_request, response) => void response.end('up 1') } },
      ],
    });
    expect((await measured.send({ path: '/metrics' })).text).toBe('up 1');
    expect((await measured.send({ path: '/metrics', headers: { host: 'evil.example' } })).status).toBe(403);
  });

  it(`${proves('R-4.1-46')} lets a stateless server have POST only`, async () => {
    const { proxy, server } = await start({ plan: { proxy: { stateless: true } } });
    expect((await proxy.send()).status).toBe(405);
    expect((await proxy.send({ method: 'DELETE' })).headers.allow).toBe('POST, OPTIONS');
    expect(server.seen).toHaveLength(0);
    expect((await proxy.send({ body: ping })).status).toBe(200);
  });
});

describe('bodies', () => {
  const OVER = 8 * 1024 * 1024 + 1;

  it(`${proves('K-5-13')} takes 8 MiB and refuses more, announced or not`, async () => {
    const { proxy, server } = await start();
    const message = (length: number) => {
      const frame = JSON.stringify({ ...ping, params: { x: '' } });
      return frame.replace('""', `"${'a'.repeat(length - frame.length)}"`);
    };
    expect((await proxy.send({ body: message(OVER - 1) })).status).toBe(200);
    const before = server.seen.length;
    const refused = await proxy.send({ body: message(OVER) });
    expect([refused.status, refused.json.error.code]).toEqual([413, -32600]);
    expect(server.seen).toHaveLength(before);
  });

  it.each([
    'chunked',
    'announced',
  ])(`${proves('K-5-13')} refuses a %s body that is too long while its sender pauses, and lets it read why`, async (form) => {
    const { proxy } = await start();
    const socket = connect(proxy.port, '127.0.0.1');
    let got = '';
    socket.on('data', (data) => {
      got += data;
    });
    const head = form === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${OVER + 5_000_000}`;
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${proxy.port}\r\nContent-Type: application/json\r\n${head}\r\n\r\n`,
    );
    const piece = 'a'.repeat(1024 * 1024);
    const send = () =>
      socket.write(form === 'chunked' ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece);
    if (form === 'chunked') for (let sent = 0; sent < OVER; sent += piece.length) send();
    await waitUntil(() => got.startsWith('HTTP/1.1 413'), 'the refusal');
    for (let sent = 0; sent < 3; sent += 1) send();
    await waitUntil(() => got.includes('"code":-32600'), 'the reason');
    expect(socket.destroyed).toBe(false);
    socket.destroy();
  });
});

describe('failures', () => {
  it('answers 500 for a link that fails, says why in the log only, and goes on', async () => {
    const failing = {
      stages: { audit: () => Promise.reject(new Error('the cause')) },
      needsMcp: false,
      close: async () => undefined,
    };
    const { proxy } = await start({ contributions: () => [failing] });
    const reply = await proxy.send({ body: ping });
    expect([reply.status, reply.json.error.code]).toEqual([500, -32603]);
    expect(reply.text).not.toContain('the cause');
    expect(proxy.logged).toMatchObject([{ level: 'error', fields: { error: 'the cause' } }]);
    expect((await proxy.send({ path: '/health' })).status).toBe(200);
  });

  it('ends open streams when it closes', async () => {
    const { proxy, server } = await start();
    const session = await proxy.initialize();
    const stream = await proxy.open({ session });
    expect(stream.status).toBe(200);
    await proxy.close();
    closing.pop();
    await waitUntil(() => stream.ended(), 'the end of the stream');
    await waitUntil(() => server.openAnswers() === 0, 'the end at the server');
    await expect(ask(proxy.url, { body: ping })).rejects.toThrow();
  });
});

it('starts nothing when the host is none of ours', async () => {
  const { proxy } = await start();
  const plan = { ...proxy.plan, proxy: { ...proxy.plan.proxy, host: '192.0.2.1' } };
  const backend = {
    handle: async () => undefined,
    probe: () => Promise.reject(),
    listTools: async () => [],
    close: async () => undefined,
  };
  await expect(startProxy({ plan, backend, contributions: [], log: () => undefined })).rejects.toMatchObject({
    code: 'proxy_host_unusable',
  });
});
