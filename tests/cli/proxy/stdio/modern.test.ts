import { afterEach, describe, expect, it } from 'vitest';
import { proves } from '../../../requirements/proves.ts';
import { openAnswer } from '../start-test-proxy.ts';
import { connect, McpClient, MODERN, postModern } from './mcp-client.ts';
import { type StdioProxy, startStdioProxy, waitFor } from './start-stdio-proxy.ts';

const KEY = 'io.modelcontextprotocol/';
let proxy: StdioProxy;
afterEach(() => proxy.close());

describe('the stdio proxy towards clients without sessions', () => {
  it(`${proves('K-5-03')} serves single requests, with what the revision wants in every result and nothing else changed`, async () => {
    proxy = await startStdioProxy();
    const call = await postModern(
      proxy.url,
      'tools/call',
      { name: 'echo', arguments: { value: 'é' } },
      { id: 'x' },
    );
    await call.last();
    expect(call.header('mcp-session-id')).toBeUndefined();
    expect(call.open.text()).toBe(
      `{"jsonrpc":"2.0","id":"x","result":{"resultType":"complete","_meta":{"${KEY}serverInfo":{"name":"stdio-test","version":"7"}},"content":[{"type":"text","text":"é"}]}}`,
    );
    const list = await (await postModern(proxy.url, 'tools/list')).last();
    expect(list.result).toMatchObject({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      tools: expect.any(Array),
    });
    const withMeta = {
      base64: Buffer.from('{"_meta":{"a":1.0},"resultType":"odd","content":[]}').toString('base64'),
    };
    const own = await postModern(proxy.url, 'tools/call', { name: 'answerBadly', arguments: withMeta });
    await own.last();
    expect(own.open.text()).toContain('"a":1.0},"resultType":"odd"');
    expect(own.messages[0].result._meta[`${KEY}serverInfo`].name).toBe('stdio-test');
    for (const method of ['GET', 'DELETE']) {
      const refused = await openAnswer(proxy.url, { method, headers: { 'mcp-protocol-version': MODERN } });
      expect([refused.status, refused.response.headers.allow]).toEqual([405, 'POST']);
    }
  });

  it(`${proves('K-8.5-16')} answers server/discover itself`, async () => {
    proxy = await startStdioProxy({ flags: ['--old'] });
    const { result } = await (await postModern(proxy.url, 'server/discover')).last();
    expect(result).toEqual({
      resultType: 'complete',
      supportedVersions: [MODERN, '2024-11-05', '2025-03-26'],
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
      instructions: 'spécial \u200d',
      ttlMs: 60000,
      cacheScope: 'private',
      _meta: { [`${KEY}serverInfo`]: { name: 'stdio-test', version: '7' } },
    });
  });

  it(`${proves('K-8.5-15')} checks headers and _meta of every request`, async () => {
    proxy = await startStdioProxy();
    type Options = Parameters<typeof postModern>[3];
    const refused = async (method: string, params: Record<string, unknown>, options: Options) => {
      const answer = await postModern(proxy.url, method, params, { id: 'r', ...options });
      const message = await answer.last();
      expect(message.id).toBe('r');
      return [answer.status, message.error?.code];
    };
    const version = `${KEY}protocolVersion`;
    const echo = { name: 'echo', arguments: { value: 'x' } };
    expect(await refused('tools/list', {}, { headers: { 'mcp-protocol-version': '2025-11-25' } })).toEqual([
      400, -32020,
    ]);
    expect(await refused('tools/list', {}, { headers: { 'mcp-protocol-version': null } })).toEqual([
      400, -32020,
    ]);
    expect(await refused('tools/list', {}, { headers: { 'mcp-method': 'tools/call' } })).toEqual([
      400, -32020,
    ]);
    expect(await refused('tools/list', {}, { headers: { 'mcp-method': null } })).toEqual([400, -32020]);
    expect(await refused('tools/call', echo, { headers: { 'mcp-name': 'state' } })).toEqual([400, -32020]);
    expect(await refused('tools/call', echo, { headers: { 'mcp-name': null } })).toEqual([400, -32020]);
    expect(await refused('tools/list', {}, { meta: { [version]: null } })).toEqual([400, -32602]);
    expect(await refused('tools/list', {}, { meta: { [`${KEY}clientCapabilities`]: null } })).toEqual([
      400, -32602,
    ]);
    const future = { headers: { 'mcp-protocol-version': '2027-01-01' }, meta: { [version]: '2027-01-01' } };
    expect(await refused('tools/list', {}, future)).toEqual([400, -32022]);
    const named = await (await postModern(proxy.url, 'tools/list', {}, future)).last();
    expect(named.error.data).toEqual({
      supported: [MODERN, '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'],
      requested: '2027-01-01',
    });
    expect(await refused('no/such', {}, {})).toEqual([404, -32601]);
    expect(await refused('resources/subscribe', { uri: 'r://x' }, { headers: { 'mcp-name': null } })).toEqual(
      [404, -32601],
    );
    const encoded = `=?base64?${Buffer.from('ümlaut').toString('base64')}?=`;
    const unknown = { name: 'ümlaut', arguments: {} };
    expect(await refused('tools/call', unknown, { headers: { 'mcp-name': encoded } })).toEqual([200, -32602]);
    expect(await refused('tools/call', unknown, { headers: { 'mcp-name': '=?base64?AAAA?=' } })).toEqual([
      400, -32020,
    ]);
  });

  it(`${proves('K-8.5-17', 'K-5-16')} turns a closed response into a cancellation`, async () => {
    proxy = await startStdioProxy();
    const witness = await connect(proxy.url);
    const streaming = await postModern(
      proxy.url,
      'tools/call',
      { name: 'steps', arguments: { count: 1000, ms: 10, tag: 's' } },
      { meta: { progressToken: 't' } },
    );
    await streaming.until((messages) => messages.length > 1);
    expect(streaming.messages[0]).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 't', progress: 1 },
    });
    streaming.cut();
    await waitFor(() => proxy.backend.held.calls === 0);
    const controller = new AbortController();
    const meta = { [`${KEY}protocolVersion`]: MODERN, [`${KEY}clientCapabilities`]: {} };
    const silent = fetch(proxy.url, {
      method: 'POST',
      signal: controller.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'mcp-protocol-version': MODERN,
        'mcp-method': 'tools/call',
        'mcp-name': 'hold',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'hold', arguments: { name: 'm' }, _meta: meta },
      }),
    }).catch(() => 'closed');
    await waitFor(() => proxy.backend.held.calls === 1);
    controller.abort();
    expect(await silent).toBe('closed');
    await waitFor(async () =>
      (await witness.state()).cancelled.some(({ name }: { name: string }) => name === 'm'),
    );
    expect(proxy.backend.held).toMatchObject({ calls: 0, waiting: 0 });
  });

  it(`${proves('K-5-06')} asks a client without a session by input_required, and goes on when it comes back`, async () => {
    proxy = await startStdioProxy({ proxy: { requestTimeoutMs: 400 } });
    const capable = { meta: { [`${KEY}clientCapabilities`]: { sampling: {} } } };
    const call = { name: 'sample', arguments: { question: 'how many?' } };
    const first = await (await postModern(proxy.url, 'tools/call', call, { id: 'one', ...capable })).last();
    expect(first).toMatchObject({ id: 'one', result: { resultType: 'input_required' } });
    const [[key, asked]] = Object.entries(first.result.inputRequests) as [[string, unknown]];
    expect(asked).toMatchObject({ method: 'sampling/createMessage', params: { maxTokens: 5 } });
    const { requestState } = first.result;
    const again = { ...call, requestState, inputResponses: { [key]: { content: { text: 'three' } } } };
    const askedAt = performance.now();
    await waitFor(() => performance.now() - askedAt > 450, 'more than the time-out');
    const second = await (await postModern(proxy.url, 'tools/call', again, { id: 'two', ...capable })).last();
    expect(second).toMatchObject({
      id: 'two',
      result: { resultType: 'complete', content: [{ text: 'three' }] },
    });
    const stale = await postModern(proxy.url, 'tools/call', again, capable);
    expect(stale.status).toBe(400);
    expect(await stale.last()).toMatchObject({ error: { code: -32602 } });
    const unable = await (await postModern(proxy.url, 'tools/call', call)).last();
    expect(unable.result.content[0].text).toBe('error -32601');
    const needed = { ...call, arguments: { ...call.arguments, isNeeded: true } };
    const missing = await postModern(proxy.url, 'tools/call', needed);
    expect(missing.status).toBe(400);
    expect(await missing.last()).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } },
    });
    expect(proxy.backend.held).toMatchObject({ calls: 0, requests: 0 });
  });

  it('sends what a client listens to, and stops with its connection', async () => {
    proxy = await startStdioProxy();
    const witness = await connect(proxy.url);
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourceSubscriptions: ['r://z'],
    };
    const listening = await postModern(proxy.url, 'subscriptions/listen', { notifications }, { id: 'sub' });
    const [acknowledged] = await listening.until((messages) => messages.length === 1);
    const label = { _meta: { [`${KEY}subscriptionId`]: 'sub' } };
    expect(acknowledged).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['r://z'] }, ...label },
    });
    await witness.tool('touch', { uri: 'r://z' });
    await witness.tool('touch', { uri: 'r://other' });
    await witness.tool('changed');
    await listening.until((messages) => messages.length === 3);
    expect(listening.messages.slice(1)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { ...label, uri: 'r://z' } },
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: label },
    ]);
    listening.cut();
    await waitFor(async () => (await witness.state()).subs['r://z'] === 0);
  });

  it('sends log messages of a call only when it asks for them, and nothing of anybody else', async () => {
    proxy = await startStdioProxy();
    const session = await connect(proxy.url);
    const stream = await session.listen();
    const log = { name: 'log', arguments: { value: 'for the modern one' } };
    expect((await (await postModern(proxy.url, 'tools/call', log)).last()).result.content[0].text).toBe(
      'logged',
    );
    const asked = await postModern(proxy.url, 'tools/call', log, { meta: { [`${KEY}logLevel`]: 'info' } });
    await asked.last();
    expect(asked.messages).toHaveLength(2);
    expect(stream.messages).toEqual([]);
  });

  it('passes a server through that only knows this revision', async () => {
    proxy = await startStdioProxy({ flags: ['--modern'] });
    expect(await proxy.backend.probe(AbortSignal.timeout(5000))).toMatchObject({
      name: 'stdio-test',
      protocolVersion: MODERN,
    });
    expect((await proxy.backend.listTools(AbortSignal.timeout(5000))).length).toBeGreaterThan(10);
    const call = await postModern(proxy.url, 'tools/call', { name: 'echo', arguments: { value: 'm' } });
    expect(await call.last()).toMatchObject({ result: { resultType: 'complete', content: [{ text: 'm' }] } });
    const old = await new McpClient(proxy.url).request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
    });
    expect(await old.last()).toMatchObject({ error: { code: -32022, data: { supported: [MODERN] } } });
  });
});
