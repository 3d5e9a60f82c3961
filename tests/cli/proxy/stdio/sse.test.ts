import { afterEach, describe, expect, it } from 'vitest';
import { proves } from '../../../requirements/proves.ts';
import { type OpenReply, openAnswer } from '../start-test-proxy.ts';
import { readEvents } from './mcp-client.ts';
import { type StdioProxy, startStdioProxy, waitFor } from './start-stdio-proxy.ts';

let proxy: StdioProxy;
afterEach(() => proxy.close());

class SseClient {
  readonly stream: OpenReply;
  readonly endpoint: string;

  constructor(stream: OpenReply, endpoint: string) {
    this.stream = stream;
    this.endpoint = endpoint;
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
  get messages(): any[] {
    return readEvents(this.stream.text())
      .slice(1)
      .map(({ data }) => JSON.parse(data));
  }
  async post(body: unknown, path = this.endpoint): Promise<number> {
    return (await openAnswer(proxy.origin + path, { body })).status;
  }
  async request(method: string, params: unknown, id: string | number = 1) {
    const before = this.messages.length;
    expect(await this.post({ jsonrpc: '2.0', id, method, params })).toBe(202);
    return waitFor(
      () => this.messages.slice(before).find((message) => message.id === id && !message.method),
      method,
    );
  }
}

async function connectSse(headers: Record<string, string> = {}): Promise<SseClient> {
  const stream = await openAnswer(proxy.url, { headers: { accept: 'text/event-stream', ...headers } });
  expect(stream.status).toBe(200);
  const [first] = await waitFor(() => {
    const events = readEvents(stream.text());
    return events.length > 0 ? events : undefined;
  });
  expect(first?.event).toBe('endpoint');
  const client = new SseClient(stream, first?.data ?? '');
  const params = { protocolVersion: '2024-11-05', capabilities: { sampling: {} } };
  expect((await client.request('initialize', params, 'i')).result.protocolVersion).toBe('2024-11-05');
  return client;
}

describe('--proxy-mode sse', () => {
  it(`${proves('R-4.1-08', 'K-5-04', 'K-5-07')} answers every client on its own stream`, async () => {
    proxy = await startStdioProxy({ proxy: { mode: 'sse' } });
    expect(proxy.url).toMatch(/\/sse$/);
    const [a, b] = [await connectSse(), await connectSse()];
    expect(a.endpoint).toMatch(/^\/messages\?sessionId=/);
    const call = (text: string) => ({ name: 'echo', arguments: { value: text } });
    const [ofA, ofB] = await Promise.all([
      a.request('tools/call', call('A')),
      b.request('tools/call', call('B')),
    ]);
    expect([ofA.result.content[0].text, ofB.result.content[0].text]).toEqual(['A', 'B']);
    const sample = { name: 'sample', arguments: { question: 'of A?' } };
    expect(await a.post({ jsonrpc: '2.0', id: 's', method: 'tools/call', params: sample })).toBe(202);
    const asked = await waitFor(() => a.messages.find(({ method }) => method === 'sampling/createMessage'));
    expect(await a.post({ jsonrpc: '2.0', id: asked.id, result: { content: { text: 'mine' } } })).toBe(202);
    await waitFor(() =>
      a.messages.some(({ id, result }) => id === 's' && result?.content[0].text === 'mine'),
    );
    expect(b.stream.text()).not.toContain('of A?');
    expect(b.messages).toHaveLength(2);
  });

  it(`${proves('K-5-16')} frees a client that closes its stream, and cancels its calls`, async () => {
    proxy = await startStdioProxy({ proxy: { mode: 'sse' } });
    const [a, b] = [await connectSse(), await connectSse()];
    await a.request('resources/subscribe', { uri: 'r://s' });
    expect(
      await a.post({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'hold', arguments: { name: 'sse' } },
      }),
    ).toBe(202);
    a.stream.request.destroy();
    await waitFor(() => proxy.backend.held.clients === 1);
    let id = 100;
    await waitFor(async () => {
      const answer = await b.request('tools/call', { name: 'state' }, ++id);
      const { cancelled, subs } = JSON.parse(answer.result.content[0].text);
      return cancelled.length === 1 && cancelled[0].name === 'sse' && subs['r://s'] === 0;
    }, 'the end of what the client held');
    expect(await a.post({ jsonrpc: '2.0', id: 2, method: 'ping' })).toBe(404);
  });

  it(`${proves('K-8.5-18')} tells the endpoint with the prefix, and takes messages with and without it`, async () => {
    proxy = await startStdioProxy({ proxy: { mode: 'sse', endpointPrefix: '/outer/' } });
    const client = await connectSse();
    expect(client.endpoint).toMatch(/^\/outer\/messages\?sessionId=/);
    const bare = client.endpoint.replace('/outer', '');
    expect(await client.post({ jsonrpc: '2.0', id: 'bare', method: 'ping' }, bare)).toBe(202);
    await waitFor(() => client.messages.some(({ id }) => id === 'bare'));
  });

  it('refuses other methods, batches and unknown sessions', async () => {
    proxy = await startStdioProxy({ proxy: { mode: 'sse' } });
    const client = await connectSse();
    expect(await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, '/messages?sessionId=x')).toBe(404);
    expect(await client.post([{ jsonrpc: '2.0', id: 1, method: 'ping' }])).toBe(400);
    expect((await openAnswer(proxy.url, { body: {} })).status).toBe(405);
  });
});
