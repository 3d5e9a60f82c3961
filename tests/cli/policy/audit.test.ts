import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAuditFile } from '../../../cli/policy/audit/audit-config.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Answer, speakMcp } from '../proxy/mcp-server.ts';
import { call } from '../proxy/start-test-proxy.ts';
import { parseFlags } from '../run/parse-words.ts';
import { list, openKeys, startGoverned, tokenOf, trusting } from './start-governed-proxy.ts';

const SECRETS = {
  user: 'ann',
  password: 'hush-1',
  pin_password: 4711,
  nested: {
    list: [{ api_key: 'hush-2', Authorization: 'Bearer hush-3-abcdef' }],
    deep: { ACCESS_TOKEN: 'hush-4' },
  },
  secret: { a: 'hush-5' },
  note: 'said Bearer hush-6-abcdef aloud',
};

describe('a line of the audit', () => {
  it(`${proves('K-5-38', 'R-4.1-58')} says who asked what and what became of it`, async () => {
    const keys = await openKeys();
    const { proxy, audited } = await startGoverned({ plan: { ...trusting(keys), audit: {} } });
    const headers = { ...(await tokenOf(keys, { roles: ['dev'] })), 'user-agent': 'tests/1' };
    await proxy.send({ headers, body: call(1, 'echo', { text: 'hush' }) });
    const [line] = await audited();
    expect(line).toEqual({
      audit_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'mcp_tool_call',
      logged_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      outcome: 'success',
      component: 'berth',
      source: { type: 'network', value: '127.0.0.1', extra: { user_agent: 'tests/1' } },
      subjects: { sub: 'alice', roles: ['dev'] },
      target: {
        method: 'tools/call',
        path: '/mcp',
        workload: 'tested',
        resource_type: 'tool',
        resource_name: 'echo',
      },
      metadata: {
        duration_ms: expect.any(Number),
        response_bytes: expect.any(Number),
        request_id: expect.any(String),
      },
    });
  });

  it(`${proves('K-5-38')} has the type of the message`, async () => {
    const { proxy, audited } = await startGoverned({ plan: { audit: {} } });
    const session = await proxy.initialize();
    const send = (body: unknown) => proxy.send({ session, body });
    await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    for (const [method, params] of [
      ['tools/list', {}],
      ['resources/read', { uri: 'res://doc' }],
      ['resources/list', {}],
      ['prompts/get', { name: 'p' }],
      ['prompts/list', {}],
      ['ping', {}],
      ['x/y', {}],
    ] as const) {
      await send(list(1, method, params));
    }
    const stream = await proxy.open({ session });
    stream.request.destroy();
    await waitUntil(() => stream.response.destroyed, 'the end of the stream');
    await proxy.send({ method: 'DELETE', session });
    await proxy.send({ body: '[]' });
    expect((await audited()).map(({ type }) => type).sort()).toEqual(
      [
        'mcp_initialize',
        'mcp_notification',
        'mcp_tools_list',
        'mcp_resource_read',
        'mcp_resources_list',
        'mcp_prompt_get',
        'mcp_prompts_list',
        'mcp_ping',
        'mcp_request',
        'sse_connection',
        'http_request',
        'mcp_batch',
      ].sort(),
    );
  });

  it(`${proves('K-5-38')} says how it ended: refused, failed in the tool, failed in the server`, async () => {
    const keys = await openKeys();
    const speak = speakMcp({ sse: true });
    const answer: Answer = (request, response, body) => {
      const { id, params } = JSON.parse(body.toString());
      const rest = {
        rpc: { error: { code: -32000, message: 'no' } },
        tool: { result: { isError: true, content: [] } },
      }[String(params.name)];
      if (params.name === 'http') return void response.writeHead(502).end();
      if (rest === undefined) return speak(request, response, body);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
    };
    const { proxy, audited } = await startGoverned({
      plan: {
        ...trusting(keys),
        audit: {},
        tools: { allow: ['fine', 'rpc', 'tool', 'http'] },
        authz: {
          version: '1',
          type: 'cedarv1',
          cedar: { policies: ['permit(principal == Client::"alice", action, resource);'] },
        },
      },
      answer,
    });
    for (const name of ['fine', 'rpc', 'tool', 'http', 'hidden']) {
      await proxy.send({ headers: await tokenOf(keys), body: call(1, name) });
    }
    await proxy.send({ headers: await tokenOf(keys, { sub: 'bob' }), body: call(1, 'fine') });
    await proxy.send({ headers: { authorization: 'Bearer hush.hush.hush' }, body: call(1, 'fine') });
    const lines = await audited();
    expect(
      lines.map(({ type, outcome, metadata, subjects }) => [type, outcome, metadata, subjects]),
    ).toMatchObject([
      ['mcp_tool_call', 'success', {}, { sub: 'alice' }],
      ['mcp_tool_call', 'failure', {}, {}],
      ['mcp_tool_call', 'failure', {}, {}],
      ['mcp_tool_call', 'error', {}, {}],
      ['mcp_tool_call', 'denied', { refusal: 'tool_not_found' }, {}],
      ['mcp_tool_call', 'denied', { refusal: 'denied_by_policy' }, { sub: 'bob' }],
      ['auth.unauthenticated', 'denied', { refusal: 'unauthenticated' }, { sub: 'anonymous' }],
    ]);
    expect(JSON.stringify(lines)).not.toContain('hush');
  });

  it(`${proves('K-5-40')} believes X-Forwarded-For only when proxy headers are trusted`, async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9, 10.0.0.1', 'x-real-ip': '203.0.113.8' };
    const addressOf = async (trustProxyHeaders: boolean, sent: Record<string, string>) => {
      const { proxy, audited } = await startGoverned({ plan: { audit: {}, proxy: { trustProxyHeaders } } });
      await proxy.send({ headers: sent, body: call(1, 'echo') });
      return (await audited())[0]?.source;
    };
    expect(await addressOf(false, headers)).toMatchObject({ value: '127.0.0.1' });
    expect(await addressOf(true, headers)).toMatchObject({ value: '203.0.113.9' });
    expect(await addressOf(true, { 'x-forwarded-for': 'evil' })).toMatchObject({ value: '127.0.0.1' });
  });

  it(`${proves('K-5-41', 'K-8.7-07', 'K-5-39')} holds request and answer when it is told to, without secrets`, async () => {
    const { proxy, audited } = await startGoverned({
      plan: { audit: { includeRequestData: true, includeResponseData: true, maxDataSize: 4096 } },
      answer: (_request, response, body) => {
        const { id, params } = JSON.parse(body.toString());
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { back: params.arguments } }));
      },
    });
    const reply = await proxy.send({ body: call(1, 'echo', SECRETS) });
    expect(reply.json.result.back).toEqual(SECRETS);
    const [line] = await audited();
    const text = JSON.stringify(line);
    expect(text).not.toContain('hush');
    expect(text).not.toContain('4711');
    expect(line).toMatchObject({
      data: {
        request: { params: { arguments: { user: 'ann', password: '[redacted]' } } },
        response: { result: { back: { user: 'ann', nested: { deep: { ACCESS_TOKEN: '[redacted]' } } } } },
      },
    });
  });

  it(`${proves('K-5-39')} holds the answer of a stream of events, and at most maxDataSize bytes of each`, async () => {
    const { proxy, audited } = await startGoverned({
      plan: { audit: { includeRequestData: true, includeResponseData: true, maxDataSize: 40 } },
      answer: speakMcp({ sse: true }),
    });
    await proxy.send({ body: call(1, 'echo', { text: 'é'.repeat(200), password: 'hush' }) });
    const [line] = await audited();
    const data = line?.data;
    expect(data).toEqual({ request: expect.any(String), response: expect.stringContaining('"result"') });
    for (const part of Object.values(data ?? {})) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(40);
    const { proxy: plain, audited: without } = await startGoverned({ plan: { audit: {} } });
    await plain.send({ body: call(1, 'echo', { text: 'x' }) });
    expect((await without())[0]).not.toHaveProperty('data');
  });
});

describe('the configuration', () => {
  it(`${proves('K-5-39')} chooses types`, async () => {
    const typesOf = async (audit: object) => {
      const { proxy, audited } = await startGoverned({ plan: { audit } });
      await proxy.send({ body: call(1, 'echo') });
      await proxy.send({ body: list() });
      await proxy.send({ body: list(1, 'ping') });
      return (await audited()).map(({ type }) => type);
    };
    expect(await typesOf({ eventTypes: ['mcp_tool_call', 'mcp_ping'] })).toEqual([
      'mcp_tool_call',
      'mcp_ping',
    ]);
    expect(await typesOf({ excludeEventTypes: ['mcp_ping'] })).toEqual(['mcp_tool_call', 'mcp_tools_list']);
    expect(await typesOf({ eventTypes: ['mcp_ping'], excludeEventTypes: ['mcp_ping'] })).toEqual([]);
    expect(await typesOf({ enabled: false })).toEqual([]);
  });

  it(`${proves('K-5-39', 'R-4.1-57')} names a file of its owner alone, from the directory of the configuration`, async () => {
    const directory = makeDirectory();
    writeFileSync(join(directory, 'audit.yaml'), 'logFile: audit.log\nincludeRequestData: true\n');
    const { audit } = await parseFlags(['--audit-config', join(directory, 'audit.yaml')], '/');
    const { proxy, stop, audited } = await startGoverned({ plan: { audit } });
    await proxy.send({ body: call(1, 'echo', { text: 'x' }) });
    await stop();
    expect(await audited()).toEqual([]);
    const file = join(directory, 'audit.log');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      type: 'mcp_tool_call',
      data: { request: {} },
    });
  });

  it(`${proves('R-4.1-57', 'R-4.1-58')} is read from its file, or is the usual one`, async () => {
    const directory = makeDirectory();
    writeFileSync(join(directory, 'a.json'), '{"includeResponseData":true}');
    const auditOf = async (...words: string[]) => (await parseFlags(words, directory)).audit;
    expect(await auditOf('--audit-config', 'a.json')).toMatchObject({
      enabled: true,
      includeResponseData: true,
    });
    expect(await auditOf('--enable-audit')).toEqual({});
    expect(await auditOf('--enable-audit=false')).toBeUndefined();
    expect(await auditOf()).toBeUndefined();
    await expect(auditOf('--audit-config', 'missing.json')).rejects.toMatchObject({
      code: 'file_unreadable',
    });
  });

  it.each([
    ['{"includeRequestDatas": true}', 'includeRequestDatas'],
    ['eventTypes: [mcp_nothing]', 'mcp_nothing|eventTypes'],
    ['maxDataSize: -1', 'maxDataSize'],
    ['a: [', 'audit.yaml'],
  ])(`${proves('K-8.7-06', 'K-5-39')} is strict: %s`, (text, named) => {
    expect(() => readAuditFile(text, 'audit.yaml')).toThrow(
      new RegExp(`audit\\.yaml:1[\\s\\S]*(${named})|(${named})`),
    );
  });

  it('cannot name a file that cannot be written', async () => {
    const plan = { audit: { logFile: '/proc/nowhere/audit.log' } };
    await expect(startGoverned({ plan })).rejects.toMatchObject({ code: 'audit_log_unavailable' });
  });
});
