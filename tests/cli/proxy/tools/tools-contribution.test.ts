import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { Contribution } from '../../../../cli/proxy/exchange.ts';
import { readMcpRequest } from '../../../../cli/proxy/read-mcp-request.ts';
import { createToolsContribution } from '../../../../cli/proxy/tools/create-tools-contribution.ts';
import { filterToolList } from '../../../../cli/proxy/tools/filter-tool-list.ts';
import { createToolNames } from '../../../../cli/proxy/tools/tool-names.ts';
import type { ToolsPlan } from '../../../../cli/run/plan.ts';
import { proves } from '../../../requirements/proves.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { type McpOptions, speakMcp, startServer, type TestServer, TOOLS } from '../mcp-server.ts';
import { call, startTestProxy, type TestProxy } from '../start-test-proxy.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(
  tools: ToolsPlan,
  more: McpOptions & { readonly links?: readonly Contribution[] } = {},
): Promise<{ proxy: TestProxy; server: TestServer }> {
  const server = await startServer(speakMcp(more));
  closing.push(() => server.close());
  const proxy = await startTestProxy({
    target: `${server.origin}/mcp`,
    plan: { tools },
    contributions: (plan) => [...(more.links ?? []), createToolsContribution(plan)],
  });
  closing.push(() => proxy.close());
  return { proxy, server };
}

const list = (cursor?: string) => ({
  jsonrpc: '2.0',
  id: 'l',
  method: 'tools/list',
  params: cursor === undefined ? {} : { cursor },
});
const listed = (text: string) => JSON.parse(text.split('data: ').at(-1) ?? '').result;

describe('tools', () => {
  it.each([
    false,
    true,
  ])(`${proves('R-4.1-54', 'K-5-23', 'K-5-25', 'K-5-26')} are filtered on every page (events: %s)`, async (sse) => {
    const { proxy } = await start({ allow: ['echo', 'drop'] }, { page: 2, sse });
    const first = listed((await proxy.send({ body: list() })).text);
    expect(first.tools.map((tool: { name: string }) => tool.name)).toEqual(['echo']);
    const second = listed((await proxy.send({ body: list(first.nextCursor) })).text);
    expect([second.tools.map((tool: { name: string }) => tool.name), second.nextCursor]).toEqual([
      ['drop'],
      undefined,
    ]);
  });

  it(`${proves('K-5-27')} that are filtered, renamed away or unknown cannot be called`, async () => {
    const { proxy, server } = await start({
      allow: ['say', 'drop', 'fresh'],
      override: { echo: { name: 'say' }, add: { name: 'sum' } },
    });
    for (const name of ['add', 'echo', 'sum', 'other']) {
      const reply = await proxy.send({ body: call(3, name) });
      expect([name, reply.status, reply.json.id, reply.json.error.code]).toEqual([name, 200, 3, -32602]);
    }
    const nameless = await proxy.send({
      body: { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 7 } },
    });
    expect(nameless.json.error.code).toBe(-32602);
    expect(server.seen).toHaveLength(0);
    expect((await proxy.send({ body: call(1, 'drop') })).json.result).toBeDefined();
  });

  it('cannot be reached by members in another case, which some servers take for the real ones', async () => {
    const { proxy, server } = await start({ allow: ['echo'] });
    const { params, ...message } = call(1, 'echo');
    for (const body of [
      { ...message, params, Params: { name: 'drop' } },
      { ...message, params: { ...params, NAME: 'drop' } },
      [{ ...message, params, METHOD: 'tools/call' }],
    ]) {
      const reply = await proxy.send({ body });
      expect([reply.status, reply.json.error.code]).toEqual([400, -32600]);
    }
    expect(server.seen).toHaveLength(0);
  });

  it('cannot be reached through a batch either', async () => {
    const { proxy, server } = await start({ allow: ['echo'] });
    const session = await proxy.initialize('2025-03-26');
    const refused = await proxy.send({ session, body: [call(1, 'echo'), call(2, 'drop')] });
    expect(refused.json.error.code).toBe(-32602);
    expect(server.seen).toHaveLength(1);
    expect((await proxy.send({ session, body: [call(1, 'echo')] })).status).toBe(200);
  });

  it(`${proves('R-4.1-55', 'K-5-24')} get new names and descriptions; every other byte stays`, async () => {
    const { proxy, server } = await start({
      override: { echo: { name: 'say', description: 'New "words".' }, add: { description: 'Sum.' } },
    });
    const { tools } = listed((await proxy.send({ body: list() })).text);
    expect(tools.map((tool: { name: string; description: string }) => [tool.name, tool.description])).toEqual(
      [
        ['say', 'New "words".'],
        ['add', 'Sum.'],
        ['drop', 'Delete all.'],
      ],
    );
    const body =
      '{"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"arguments":{"name":"say","n":1E+2},"name": "s\\u0061y"}}';
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'say' };
    await proxy.send({ body, headers });
    expect(server.seen.at(-1)?.body).toBe(body.replace('"s\\u0061y"', '"echo"'));
    expect(server.seen.at(-1)?.headers['mcp-name']).toBe('echo');
    await proxy.send({ body, headers: { ...headers, 'mcp-name': 'drop' } });
    expect(server.seen.at(-1)?.headers['mcp-name']).toBe('drop');
  });

  it('are filtered in a list that comes late, on the GET stream', async () => {
    let stream: ServerResponse | undefined;
    const speak = speakMcp();
    const server = await startServer((request, response, body) => {
      if (request.method === 'GET') {
        stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
        stream.write(': open\n\n');
      } else if (body.includes('tools/list')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n');
      } else return speak(request, response, body);
    });
    closing.push(() => server.close());
    const tools = { allow: ['echo'] };
    const proxy = await startTestProxy({
      target: `${server.origin}/mcp`,
      plan: { tools },
      contributions: (plan) => [createToolsContribution(plan)],
    });
    closing.push(() => proxy.close());
    const session = await proxy.initialize();
    const broken = await proxy.open({ session, body: list() });
    await waitUntil(() => broken.text().includes('notifications/x'), 'the beginning');
    broken.request.destroy();
    const resumed = await proxy.open({ session, headers: { 'last-event-id': '1' } });
    await waitUntil(() => resumed.text().includes('open'), 'the GET stream');
    stream?.write(
      `id: 2\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 'l', result: { tools: TOOLS } })}\n\n`,
    );
    const seen = await waitUntil(() => /^data: (.*)$/m.exec(resumed.text())?.[1], 'the late list');
    expect(JSON.parse(seen).result.tools).toEqual([TOOLS[0]]);
    resumed.request.destroy();
  });

  it('are looked at again after a webhook changed the call', async () => {
    const webhook: Contribution = {
      stages: {
        'mutating-webhooks': (exchange, next) => {
          exchange.mcp = readMcpRequest(Buffer.from(JSON.stringify(call(1, 'drop'))));
          return next();
        },
      },
      needsMcp: true,
      close: async () => undefined,
    };
    const { proxy, server } = await start({ allow: ['echo'] }, { links: [webhook] });
    expect((await proxy.send({ body: call(1, 'echo') })).json.error.code).toBe(-32602);
    expect(server.seen).toHaveLength(0);
  });

  it('are all shown when nothing is said, without a link', () => {
    expect(createToolsContribution({ tools: {} })).toBeUndefined();
    expect(createToolsContribution({ tools: { override: {} } })).toBeUndefined();
  });

  it.each([
    { a: { name: 'x' }, b: { name: 'x' } },
    { a: { name: 'b' }, b: { description: 'kept' } },
    { a: { name: '' } },
  ])('cannot get names that clash: %j', (override) => {
    expect(() => createToolsContribution({ tools: { override } })).toThrow(
      expect.objectContaining({ code: 'tools_override_invalid' }),
    );
  });

  it('may swap their names', () => {
    const names = createToolNames({ override: { a: { name: 'b' }, b: { name: 'a' } } });
    expect([names.resolve('a'), names.resolve('b'), names.show('a')?.name, names.show('b')?.name]).toEqual([
      'b',
      'a',
      'b',
      'a',
    ]);
  });
});

describe('the list of tools', () => {
  const message = (tools: string) =>
    Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{ "tools" : [${tools}] ,"x":1.0}}`);
  const tool = (name: string) => `{"name":"${name}","n":1E+2}`;

  it.each([
    ['a, b, c', 'a', 'a'],
    ['a, b, c', 'b', 'b'],
    ['a, b, c', 'c', 'c'],
    ['a, b, c', 'ac', 'a, c'],
    ['a, b, c', 'bc', 'b, c'],
    ['a, b, c', 'abc', 'a, b, c'],
    ['a, b, c', '', ''],
    ['', '', ''],
  ])('%s with %j allowed becomes %s', (given, allow, expected) => {
    const expand = (text: string) => text.replaceAll(/[a-z]/g, tool);
    const filtered = filterToolList(message(expand(given)), createToolNames({ allow: [...allow] }));
    expect(filtered.toString()).toBe(message(expand(expected)).toString());
  });

  it('is the same buffer when nothing changes, as is every other message', () => {
    const names = createToolNames({ allow: ['a'] });
    for (const same of [
      message(tool('a')),
      Buffer.from('{"result":{"content":[]}}'),
      Buffer.from('no json'),
    ]) {
      expect(filterToolList(same, names)).toBe(same);
    }
  });

  it('gets a description where there was none, and leaves out what has no name', () => {
    const names = createToolNames({ override: { a: { description: 'D' } } });
    expect(filterToolList(message(`${tool('a')},{"n":1}`), names).toString()).toBe(
      message('{"name":"a","description":"D","n":1E+2}').toString(),
    );
  });

  it('does not show a tool whose name another one was given', () => {
    const names = createToolNames({ override: { a: { name: 'b' } } });
    expect(filterToolList(message(`${tool('a')}, ${tool('b')}`), names).toString()).toBe(
      message(tool('b')).toString(),
    );
  });
});
