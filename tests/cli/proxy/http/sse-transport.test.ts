import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpBackend } from '../../../../cli/proxy/http/create-http-backend.ts';
import { createToolsContribution } from '../../../../cli/proxy/tools/create-tools-contribution.ts';
import { proves } from '../../../requirements/proves.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { type Answer, startServer, type TestServer, TOOLS } from '../mcp-server.ts';
import {
  call,
  type OpenReply,
  startTestProxy,
  type TestProxy,
  type TestProxyOptions,
} from '../start-test-proxy.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server of HTTP+SSE. @param endpoint what it says of where to post; `%` stands for its origin */
function speakSse(endpoint = '/messages?sessionId=1'): Answer {
  const streams: ServerResponse[] = [];
  return (request, response, body) => {
    if (request.method === 'GET') {
      streams.push(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${endpoint.replace('%', `http://${request.headers.host}`)}\n\n`);
      return;
    }
    response.writeHead(202).end('Accepted');
    const message = JSON.parse(body.toString('utf8'));
    if (message.method === 'silence') return;
    const result =
      message.method === 'initialize'
        ? {
            protocolVersion: message.params.protocolVersion,
            serverInfo: { name: 's', version: '1' },
            capabilities: {},
          }
        : message.method === 'tools/list'
          ? { tools: TOOLS }
          : { said: message.params?.name ?? message.method };
    const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
    if (message.id !== undefined) streams.at(-1)?.write(`event: message\ndata: ${text}\n\n`);
  };
}

async function start(
  endpoint?: string,
  more: Partial<TestProxyOptions> = {},
): Promise<{ proxy: TestProxy; server: TestServer }> {
  const server = await startServer(speakSse(endpoint));
  closing.push(() => server.close());
  const proxy = await startTestProxy({
    target: `${server.origin}/sse`,
    ...more,
    plan: { transport: 'sse', ...more.plan },
  });
  closing.push(() => proxy.close());
  return { proxy, server };
}

const dataOf = (stream: OpenReply): string[] =>
  [...stream.text().matchAll(/^data: (.*)$/gm)].map((found) => found[1] ?? '');

async function connect(
  proxy: TestProxy,
  headers: Record<string, string> = {},
): Promise<{ stream: OpenReply; endpoint: string }> {
  const stream = await proxy.open({ headers });
  closing.push(async () => void stream.request.destroy());
  return { stream, endpoint: await waitUntil(() => dataOf(stream)[0], 'the endpoint') };
}

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };

describe('HTTP with SSE', () => {
  it(`${proves('K-5-01')} passes messages to the endpoint of the server, and answers on the stream`, async () => {
    const { proxy, server } = await start();
    const { stream, endpoint } = await connect(proxy);
    expect(endpoint).toBe('/messages?sessionId=1');
    expect((await proxy.send({ path: endpoint, body: ping })).status).toBe(202);
    await waitUntil(() => stream.text().includes('"id":7'), 'the answer');
    expect(server.seen.at(-1)).toMatchObject({ url: '/messages?sessionId=1', body: JSON.stringify(ping) });
    expect((await proxy.send({ method: 'POST', body: ping })).status).toBe(405);
  });

  it(`${proves('R-4.1-45', 'K-8.5-18')} puts --endpoint-prefix into the endpoint event only, and takes posts with and without it`, async () => {
    const { proxy, server } = await start('%/messages?sessionId=1', {
      plan: { proxy: { endpointPrefix: '/pre/fix' } },
    });
    const { stream, endpoint } = await connect(proxy);
    expect(endpoint).toBe(`http://127.0.0.1:${proxy.port}/pre/fix/messages?sessionId=1`);
    for (const prefix of ['/pre/fix', '']) {
      expect(
        (await proxy.send({ path: `${prefix}/messages?sessionId=1`, body: { ...ping, id: `p${prefix}` } }))
          .status,
      ).toBe(202);
      await waitUntil(() => stream.text().includes(`"id":"p${prefix}"`), 'the answer');
    }
    expect(server.seen.filter(({ method }) => method === 'POST').map(({ url }) => url)).toEqual([
      '/messages?sessionId=1',
      '/messages?sessionId=1',
    ]);
  });

  it(`${proves('R-4.1-52', 'R-4.1-53')} names the place of a trusted outer proxy, and of nobody else`, async () => {
    const headers = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'mcp.example',
      'x-forwarded-port': '8443',
      'x-forwarded-prefix': '/p',
    };
    const { proxy } = await start(undefined, { plan: { proxy: { trustProxyHeaders: true } } });
    expect((await connect(proxy, headers)).endpoint).toBe('https://mcp.example:8443/p/messages?sessionId=1');
    expect((await connect(proxy, { 'x-forwarded-prefix': '/p' })).endpoint).toBe('/p/messages?sessionId=1');
    const { proxy: careful } = await start();
    expect((await connect(careful, headers)).endpoint).toBe('/messages?sessionId=1');
  });

  it('knows the server by the name that it is called with', async () => {
    const { proxy, server } = await start('%/messages?sessionId=1', {
      backend: { hostHeader: 'localhost:8080' },
    });
    const { endpoint } = await connect(proxy);
    expect(endpoint).toBe(`http://127.0.0.1:${proxy.port}/messages?sessionId=1`);
    expect((await proxy.send({ path: endpoint, body: ping })).status).toBe(202);
    expect(server.seen.at(-1)?.headers.host).toBe('localhost:8080');
  });

  it('sends no message to another origin', async () => {
    const { proxy } = await start('http://evil.example/messages');
    const stream = await proxy.open();
    await waitUntil(() => stream.ended(), 'the end');
    expect(stream.text()).not.toContain('evil');
    expect(proxy.logged.at(-1)?.level).toBe('error');
  });

  it(`${proves('K-8.5-02')} refuses messages of streams that are not open, and batches the revision has not`, async () => {
    const { proxy, server } = await start();
    const { stream, endpoint } = await connect(proxy);
    await proxy.send({
      path: endpoint,
      body: { ...ping, id: 'i', method: 'initialize', params: { protocolVersion: '2025-06-18' } },
    });
    await waitUntil(() => stream.text().includes('"id":"i"'), 'the handshake');
    const unknown = await proxy.send({ path: '/messages?sessionId=2', body: ping });
    expect([unknown.status, unknown.json.error.code, unknown.json.id]).toEqual([404, -32001, 7]);
    const batch = await proxy.send({ path: endpoint, body: [ping] });
    expect([batch.status, batch.json.error.code]).toEqual([400, -32600]);
    const posts = server.seen.filter(({ method }) => method === 'POST').length;
    expect(posts).toBe(1);
    stream.request.destroy();
    await waitUntil(() => server.openAnswers() === 0, 'the end at the server');
    await waitUntil(
      async () => (await proxy.send({ path: endpoint, body: ping })).status === 404,
      'an ended session',
    );
  });

  it(`${proves('K-8.5-14')} answers what the server owed when it dies`, async () => {
    const { proxy, server } = await start();
    const { stream, endpoint } = await connect(proxy);
    await proxy.send({ path: endpoint, body: { ...ping, id: 'owed', method: 'silence' } });
    await server.close();
    closing.shift();
    await waitUntil(() => stream.ended(), 'the end');
    expect(JSON.parse(dataOf(stream).at(-1) ?? '')).toMatchObject({ id: 'owed', error: { code: -32000 } });
  });

  it(`${proves('K-5-25', 'K-5-27')} filters lists on the stream, and answers a hidden tool there`, async () => {
    const { proxy, server } = await start(undefined, {
      contributions: (plan) => [createToolsContribution(plan)],
      plan: { tools: { allow: ['add'] } },
    });
    const { stream, endpoint } = await connect(proxy);
    await proxy.send({ path: endpoint, body: { ...ping, method: 'tools/list' } });
    await waitUntil(() => dataOf(stream).length === 2, 'the list');
    expect(JSON.parse(dataOf(stream)[1] ?? '').result.tools).toEqual([TOOLS[1]]);
    expect((await proxy.send({ path: endpoint, body: call('h', 'drop') })).status).toBe(202);
    await waitUntil(() => dataOf(stream).length === 3, 'the refusal');
    expect(JSON.parse(dataOf(stream)[2] ?? '')).toMatchObject({ id: 'h', error: { code: -32602 } });
    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('is probed and asked for its tools', async () => {
    const { proxy, server } = await start('%/messages?sessionId=1');
    const backend = createHttpBackend({
      target: () => new URL(`${server.origin}/sse`),
      transport: 'sse',
      proxy: proxy.plan.proxy,
      isRemote: false,
      log: () => undefined,
    });
    closing.push(() => backend.close());
    const signal = AbortSignal.timeout(5000);
    expect(await backend.probe(signal)).toEqual({ name: 's', version: '1', protocolVersion: '2024-11-05' });
    expect(await backend.listTools(signal)).toHaveLength(3);
    await waitUntil(() => server.openAnswers() === 0, 'no open stream');
  });
});
