import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proves } from '../../../requirements/proves.ts';
import { connect, McpClient } from './mcp-client.ts';
import { type StdioProxy, startStdioProxy, waitFor } from './start-stdio-proxy.ts';

let proxy: StdioProxy;
afterEach(() => proxy.close());

/** Ends a `hold` call, waiting until the server has it. */
const release = (client: McpClient, name: string) =>
  waitFor(async () => (await client.tool('release', { name })) === 'yes', `the call ${name}`);

describe('the stdio proxy towards clients with sessions', () => {
  beforeEach(async () => {
    proxy = await startStdioProxy();
  });

  it(`${proves('K-5-02', 'R-4.1-08')} opens a session in every revision, with the server's own words`, async () => {
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const client = new McpClient(proxy.url);
      const result = await client.initialize(version);
      expect(result.protocolVersion).toBe(version);
      expect(client.opened[0]?.open.text()).toContain('"instructions":"spécial \u200d","extra":100');
      expect(client.session).toMatch(/^[\x21-\x7e]{20,}$/);
      expect(await client.tool('echo', { value: 'hi' })).toBe('hi');
      expect(await client.end()).toBe(204);
      const after = await client.request('ping', {}, 'x');
      expect(after.status).toBe(404);
      expect(await after.last()).toMatchObject({ id: 'x', error: { code: -32001 } });
    }
    const state = await (await connect(proxy.url)).state();
    expect(state).toMatchObject({ inits: 1, initialized: 1 });
    const unknown = await new McpClient(proxy.url).initialize('1999-01-01');
    expect(unknown.protocolVersion).toBe('2025-11-25');
  });

  it(`${proves('K-5-15', 'K-8.5-01', 'K-8.5-02')} refuses requests without a session, and unknown sessions without asking the server`, async () => {
    await proxy.stop();
    const client = new McpClient(proxy.url);
    const without = await client.request('tools/list', {}, 9);
    expect(without.status).toBe(400);
    expect(await without.last()).toMatchObject({ id: 9, error: { code: -32600 } });
    expect((await client.listen()).status).toBe(400);
    client.session = 'nobody';
    const unknown = await client.request('tools/list', {}, 'é');
    expect(unknown.status).toBe(404);
    expect(await unknown.last()).toMatchObject({ id: 'é', error: { code: -32001 } });
    expect((await client.listen()).status).toBe(404);
    expect(await client.end()).toBe(404);
  });

  it(`${proves('K-5-04', 'K-5-07')} answers clients with the same ids at the same time, each its own`, async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, () => connect(proxy.url)));
    const held = clients.map((client, index) => client.call('hold', { name: `h${index}` }, 1));
    for (const index of [3, 0, 4, 1, 2]) await release(clients[0] as McpClient, `h${index}`);
    for (const [index, answer] of (await Promise.all(held)).entries()) {
      expect(await answer.last()).toMatchObject({ id: 1, result: { content: [{ text: `held h${index}` }] } });
    }
  });

  it(`${proves('K-5-08')} passes every byte but the id and the token`, async () => {
    const client = await connect(proxy.url);
    const odd =
      '{"content":[{"type":"text","text":"raw"}],"big":12345678901234567890,"f":1.0,"e":1E+2,"u":"\\u00e9\\/\u200d\u2028","o":{"z":1,"10":2}}';
    const base64 = Buffer.from(odd).toString('base64');
    const body = `{"params":{"arguments":{"base64":"${base64}"},"name":"answerBadly"}, "method":"tools/call","id": 12345678901234567890 ,"jsonrpc":"2.0"}`;
    const raw = await client.post(body);
    await raw.last();
    expect(raw.open.text()).toBe(`{"jsonrpc":"2.0","id":12345678901234567890,"result":${odd}}`);
    const sent =
      '{ "jsonrpc":"2.0",\r\n "id":"a\\u0062",\n"method":"tools/call","params":{"name":"received","arguments":{"x":1.0,"y":99999999999999999999},"_meta":{"progressToken":"tok","k":1e0}}}';
    const echoed = await client.post(sent);
    const message = await echoed.last();
    expect(echoed.open.text()).toContain('"id":"a\\u0062"');
    const received = Buffer.from(message.result.content[0].text, 'base64').toString();
    const id = JSON.parse(received).id;
    expect(received).toBe(
      sent
        .replace('"a\\u0062"', String(id))
        .replace('"tok"', String(id))
        .replace('\r\n', '  ')
        .replace('\n', ' '),
    );
  });

  it(`${proves('K-5-05')} brings progress to the call it belongs to, though tokens collide`, async () => {
    const [a, b] = [await connect(proxy.url), await connect(proxy.url)];
    const answers = await Promise.all(
      [a, b].map((client, index) =>
        client.call('steps', { count: 3, ms: 5, tag: `t${index}` }, 1, { progressToken: 'same' }),
      ),
    );
    for (const [index, answer] of answers.entries()) {
      await answer.last();
      expect(answer.isStream).toBe(true);
      expect(answer.messages.map(({ params, result }) => params ?? result.content[0].text)).toEqual([
        ...[1, 2, 3].map((progress) => ({ progressToken: 'same', progress, message: `t${index}` })),
        `done t${index}`,
      ]);
    }
  });

  it(`${proves('K-5-05', 'K-5-02')} cancels the call of the client who cancels, and no other`, async () => {
    const [a, b] = [await connect(proxy.url), await connect(proxy.url)];
    const ofA = a.call('hold', { name: 'A' }, 7);
    const ofB = b.call('hold', { name: 'B' }, 7);
    await waitFor(() => proxy.backend.held.calls === 2);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    expect((await a.post(cancel)).status).toBe(202);
    await a.post({ ...cancel, params: { requestId: 4711 } });
    expect(await (await ofA).last()).toBeUndefined();
    await release(b, 'B');
    expect((await (await ofB).last()).result.content[0].text).toBe('held B');
    const state = await b.state();
    expect(state.cancelled).toMatchObject([{ name: 'A' }]);
    expect(state.unknownCancels).toEqual([]);
  });

  it(`${proves('K-5-05')} subscribes once for all, tells followers only, and unsubscribes with the last`, async () => {
    const [a, b, c] = [await connect(proxy.url), await connect(proxy.url), await connect(proxy.url)];
    const streams = await Promise.all([a, b, c].map((client) => client.listen()));
    for (const client of [a, b])
      expect(await (await client.request('resources/subscribe', { uri: 'r://x' })).last()).toMatchObject({
        result: {},
      });
    expect((await a.state()).subs).toEqual({ 'r://x': 1 });
    await c.tool('touch', { uri: 'r://x' });
    await streams[0]?.until((messages) => messages.length === 1);
    await streams[1]?.until((messages) => messages.length === 1);
    await (await a.request('resources/unsubscribe', { uri: 'r://x' })).last();
    await c.tool('touch', { uri: 'r://x/part' });
    await streams[1]?.until((messages) => messages.length === 2);
    expect(streams[0]?.messages).toHaveLength(1);
    await (await b.request('resources/unsubscribe', { uri: 'r://x' })).last();
    expect((await a.state()).subs).toEqual({ 'r://x': 0 });
    expect(streams[2]?.messages).toEqual([]);
  });

  it(`${proves('K-5-06', 'K-5-07')} brings a sampling request to the client whose call caused it, and its answer back`, async () => {
    const [a, b] = [await connect(proxy.url), await connect(proxy.url)];
    const calls = [a, b].map((client, index) =>
      client.call('sample', { question: `what of ${index}?`, gate: `g${index}` }, 1),
    );
    for (const index of [0, 1]) await release(a, `g${index}`);
    for (const [index, client] of [a, b].entries()) {
      const answer = await (calls[index] as Promise<Awaited<(typeof calls)[number]>>);
      const [asked] = await answer.until((messages) => messages.length === 1);
      expect(asked).toMatchObject({
        method: 'sampling/createMessage',
        params: { messages: [{ content: { text: `what of ${index}?` } }] },
      });
      const other = index === 0 ? b : a;
      // Somebody else's answer is nobody's.
      await other.post({ jsonrpc: '2.0', id: asked.id, result: { content: { text: 'stolen' } } });
      await client.post({ jsonrpc: '2.0', id: asked.id, result: { content: { text: `from ${index}` } } });
      expect((await answer.last()).result.content[0].text).toBe(`from ${index}`);
    }
    expect(a.heard).not.toContain('what of 1?');
    expect(b.heard).not.toContain('what of 0?');
  });

  it('asks every client once when several are doing the same work, and tells short questions apart', async () => {
    const clients = [await connect(proxy.url), await connect(proxy.url)];
    for (const questions of [
      ['who are you?', 'who are you?'],
      ['q1', 'q2'],
    ]) {
      const calls = clients.map((client, index) =>
        client.call('sample', { question: questions[index], gate: `g${index}` }, 1),
      );
      await waitFor(() => proxy.backend.held.calls === 2);
      for (const index of [0, 1]) await release(await connect(proxy.url), `g${index}`);
      for (const [index, client] of clients.entries()) {
        const answer = await (calls[index] as Promise<Awaited<(typeof calls)[number]>>);
        const [asked] = await answer.until((messages) => messages.length === 1);
        expect(asked.params.messages[0].content.text).toBe(questions[index]);
        await client.post({ jsonrpc: '2.0', id: asked.id, result: { content: { text: `from ${index}` } } });
        expect((await answer.last()).result.content[0].text).toBe(`from ${index}`);
      }
    }
  });

  it(`${proves('K-8.5-13')} asks only clients that declared the capability, and tells the server at once otherwise`, async () => {
    const able = await connect(proxy.url);
    const stream = await able.listen();
    const unable = new McpClient(proxy.url);
    await unable.initialize('2025-11-25', {});
    expect(await unable.tool('sample', { question: 'may I ask?' })).toBe('error -32601');
    expect(stream.messages).toEqual([]);
    expect(unable.heard).not.toContain('sampling/createMessage');
  });

  it(`${proves('K-5-16', 'K-5-06')} tells the server when the client it asked is gone`, async () => {
    const [a, b] = [await connect(proxy.url), await connect(proxy.url)];
    const answer = await a.call('sample', { question: 'are you there?' });
    await answer.until((messages) => messages.length === 1);
    expect(await a.end()).toBe(204);
    await waitFor(() => proxy.backend.held.requests === 0 && proxy.backend.held.calls === 0);
    expect(await b.tool('echo', { value: 'on' })).toBe('on');
  });

  it(`${proves('K-8.5-12')} numbers the events of the GET stream and replays them after Last-Event-ID`, async () => {
    const client = await connect(proxy.url);
    const first = await client.listen();
    await client.tool('changed');
    await first.until((messages) => messages.length === 1);
    const seen = first.events[0]?.id ?? '';
    first.cut();
    const other = await connect(proxy.url);
    await waitFor(async () => {
      await other.tool('changed');
      return true;
    });
    await other.tool('changed');
    const second = await client.listen(seen);
    await second.until((messages) => messages.length === 2);
    expect(second.events.every(({ id }) => Number(id) > Number(seen))).toBe(true);
    const all = await client.listen('0');
    await all.until((messages) => messages.length === 3);
  });

  it(`${proves('K-5-02', 'K-8.5-12')} goes on with the stream of a call that was cut`, async () => {
    const client = await connect(proxy.url);
    const cut = await client.call('steps', { count: 4, ms: 30, tag: 'cut' }, 'c', { progressToken: 1 });
    await cut.until((messages) => messages.length >= 1);
    const seen = cut.events[0]?.id;
    cut.cut();
    const rest = await client.listen(seen);
    expect(await rest.last()).toMatchObject({ id: 'c', result: { content: [{ text: 'done cut' }] } });
    expect(rest.messages.map(({ params }) => params?.progress)).toEqual([2, 3, 4, undefined]);
    const other = await connect(proxy.url);
    const foreign = await other.listen(seen);
    await other.tool('echo', { value: 'x' });
    expect(foreign.messages).toEqual([]);
  });

  it(`${proves('K-5-09', 'K-8.5-05')} refuses batches unless the revision has them`, async () => {
    const client = await connect(proxy.url);
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      {
        jsonrpc: '2.0',
        id: 'two',
        method: 'tools/call',
        params: { name: 'echo', arguments: { value: 'b' } },
      },
    ];
    const refused = await client.post(batch);
    expect(refused.status).toBe(400);
    expect(await refused.last()).toMatchObject({ error: { code: -32600 } });
    const old = new McpClient(proxy.url);
    await old.initialize('2025-03-26');
    const answer = await old.post(batch);
    await answer.last();
    expect(answer.status).toBe(200);
    expect(answer.messages.map(({ id }) => id).sort()).toEqual([1, 'two']);
    expect((await old.post([])).status).toBe(400);
    expect((await old.post([batch[1]])).status).toBe(202);
  });

  it(`${proves('K-8.5-14')} answers pending calls at once when the server dies, keeps sessions, and restores what was asked`, async () => {
    const [a, b] = [await connect(proxy.url), await connect(proxy.url)];
    const stream = await a.listen();
    await (await a.request('resources/subscribe', { uri: 'r://y' })).last();
    await (await a.request('logging/setLevel', { level: 'notice' })).last();
    const pending = b.call('hold', { name: 'never' }, 'p');
    await waitFor(() => proxy.backend.held.calls === 1);
    void a.call('crash').catch(() => undefined);
    const answer = await pending;
    expect(await answer.last()).toMatchObject({ id: 'p', error: { code: -32000 } });
    await waitFor(() => !proxy.backend.isAvailable());
    const away = await b.request('ping', {}, 'q');
    expect(away.status).toBe(503);
    expect(Number(away.header('retry-after'))).toBeGreaterThan(0);
    expect(await away.last()).toMatchObject({ id: 'q', error: { code: -32000 } });
    proxy.restart();
    expect(await b.tool('echo', { value: 'back' })).toBe('back');
    await waitFor(async () => (await b.state()).levels.length === 1);
    expect(await b.state()).toMatchObject({
      inits: 1,
      initialized: 1,
      subs: { 'r://y': 1 },
      levels: ['notice'],
    });
    await b.tool('touch', { uri: 'r://y' });
    await stream.until((messages) =>
      messages.some(({ method }) => method === 'notifications/resources/updated'),
    );
  });

  it('drops what is no message on standard output, keeps its memory, and goes on', async () => {
    await proxy.close();
    proxy = await startStdioProxy({ backend: { maxLineBytes: 1 << 20 } });
    const client = await connect(proxy.url);
    const garbage = [
      'not json',
      '{"jsonrpc":',
      '\0\0\0',
      '[1,2',
      '{}',
      '42',
      '{"jsonrpc":"2.0","id":999999,"result":{}}',
      '{"id":1,"method":3}',
      '\ufeff{}',
    ];
    for (const line of garbage) await client.tool('print', { base64: Buffer.from(line).toString('base64') });
    await client.tool('print', { base64: Buffer.from([0xff, 0xfe, 0x7b, 0x80, 0x7d]).toString('base64') });
    await client.tool('print', { base64: Buffer.alloc(1 << 16, 'y').toString('base64'), repeat: 320 });
    expect(await client.tool('echo', { value: 'alive' })).toBe('alive');
    for (const bad of [
      Buffer.from([0x22, 0xff, 0x22]),
      Buffer.from('{"broken'),
      Buffer.concat([Buffer.from('"'), Buffer.alloc(2 << 20, 'z'), Buffer.from('"')]),
    ]) {
      const answer = await client.call('answerBadly', { base64: bad.toString('base64') }, 'bad');
      expect(answer.status).toBe(502);
      expect(await answer.last()).toMatchObject({ id: 'bad', error: { code: -32000 } });
    }
    expect(proxy.logged.filter(({ level }) => level === 'warn').length).toBeLessThan(3);
    expect(client.heard).not.toContain('not json');
  });

  it('passes a long answer', async () => {
    const client = await connect(proxy.url);
    expect((await client.tool('big', { bytes: 6 << 20 })).length).toBe(6 << 20);
  });

  it('takes the most verbose of the levels clients ask for, and sends each what it asked for', async () => {
    const [a, b] = [await connect(proxy.url), await connect(proxy.url)];
    await (await a.request('logging/setLevel', { level: 'error' })).last();
    await (await b.request('logging/setLevel', { level: 'debug' })).last();
    await (await a.request('logging/setLevel', { level: 'warning' })).last();
    expect((await a.state()).levels).toEqual(['error', 'debug']);
    const quiet = await a.call('log', { value: 'small', level: 'info' });
    expect((await quiet.last()).result.content[0].text).toBe('logged');
    expect(quiet.messages).toHaveLength(1);
    const loud = await b.call('log', { value: 'small', level: 'info' });
    await loud.last();
    expect(loud.messages).toHaveLength(2);
    expect(a.heard).not.toContain('small');
  });

  it('answers with events a client that takes nothing else, and refuses what is no JSON-RPC', async () => {
    const client = await connect(proxy.url);
    const answer = await client.post(
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { accept: 'text/event-stream' },
    );
    expect(await answer.last()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(answer.isStream).toBe(true);
    for (const [body, code] of [
      ['{', -32700],
      ['"x"', -32700],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
      ['{"id":{},"method":"ping"}', -32600],
    ] as const) {
      const bad = await client.post(body);
      expect(bad.status).toBe(400);
      expect(await bad.last()).toMatchObject({ error: { code } });
    }
    const version = await client.post(
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { 'mcp-protocol-version': '1999-01-01' },
    );
    expect(version.status).toBe(400);
  });
});

describe('time in the stdio proxy', () => {
  it(`${proves('K-5-10')} gives a call up after the time-out, tells the server, and lets progress reset it`, async () => {
    proxy = await startStdioProxy({ proxy: { requestTimeoutMs: 300 } });
    const client = await connect(proxy.url);
    const late = await client.call('hold', { name: 'late' }, 'L');
    expect(late.status).toBe(504);
    expect(await late.last()).toMatchObject({
      id: 'L',
      error: { message: expect.stringContaining('timed out after 0.3 s') },
    });
    await waitFor(async () => (await client.state()).cancelled.length === 1);
    const long = await client.call('steps', { count: 8, ms: 100, tag: 'long' }, 'P', { progressToken: 5 });
    expect(await long.last()).toMatchObject({ id: 'P', result: {} });
  });

  it(`${proves('K-5-14')} ends a session that was not used for its time, but none with an open stream`, async () => {
    let now = 1000;
    proxy = await startStdioProxy({ proxy: { sessionTtlMs: 60_000 }, backend: { now: () => now } });
    const [idle, held] = [await connect(proxy.url), await connect(proxy.url)];
    const stream = await held.listen();
    now += 59_000;
    expect((await idle.request('ping', {})).status).toBe(200);
    now += 61_000;
    expect((await idle.request('ping', {})).status).toBe(404);
    expect((await held.request('ping', {})).status).toBe(200);
    stream.cut();
  });

  it(`${proves('K-5-16')} holds nothing of 1,000 clients that came and went`, async () => {
    proxy = await startStdioProxy();
    const witness = await connect(proxy.url);
    const before = proxy.backend.held;
    const visit = async (index: number): Promise<void> => {
      const client = await connect(proxy.url);
      const stream = await client.listen();
      await (await client.request('resources/subscribe', { uri: `r://${index}` })).last();
      const call = client.call('steps', { count: 1, ms: 100_000, tag: 'x' }).catch(() => undefined);
      stream.cut();
      expect(await client.end()).toBe(204);
      await call;
    };
    for (let round = 0; round < 40; round++) {
      await Promise.all(Array.from({ length: 25 }, (_, index) => visit(index)));
    }
    await waitFor(() => proxy.backend.held.calls === 0);
    expect(proxy.backend.held).toEqual(before);
    const state = await witness.state();
    expect(Object.values(state.subs).every((count) => count === 0)).toBe(true);
    expect(state.cancelled).toHaveLength(0);
    expect(await witness.tool('echo', { value: 'still' })).toBe('still');
  }, 60_000);

  it('waits for a server that is being initialised, and says so while there is none', async () => {
    proxy = await startStdioProxy({ isStarted: false });
    const answer = await new McpClient(proxy.url).request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
    });
    expect(answer.status).toBe(503);
    await expect(proxy.backend.probe(AbortSignal.timeout(1000))).rejects.toMatchObject({
      code: 'server_unreachable',
    });
    proxy.restart();
    expect((await new McpClient(proxy.url).initialize()).serverInfo.name).toBe('stdio-test');
  });
});

describe('what the proxy asks for itself', () => {
  it('describes the server and lists every page of its tools', async () => {
    proxy = await startStdioProxy({ flags: ['--old'] });
    const signal = AbortSignal.timeout(5000);
    expect(await proxy.backend.probe(signal)).toEqual({
      name: 'stdio-test',
      version: '7',
      protocolVersion: '2025-03-26',
    });
    const tools = await proxy.backend.listTools(signal);
    expect(tools.length).toBeGreaterThan(10);
    expect(tools[0]).toMatchObject({ name: 'echo', annotations: { readOnlyHint: true } });
    const result = await new McpClient(proxy.url).initialize('2025-11-25');
    expect(result.protocolVersion).toBe('2025-03-26');
  });

  it('passes on why a server refuses', async () => {
    proxy = await startStdioProxy({ flags: ['--refuse'] });
    await expect(proxy.backend.probe(AbortSignal.timeout(5000))).rejects.toMatchObject({
      code: 'server_refused',
      message: expect.stringContaining('no key was given'),
    });
  });
});
