import { describe, expect, it } from 'vitest';
import { readAuthzFile } from '../../../cli/policy/authz/read-authz-file.ts';
import { proves } from '../../requirements/proves.ts';
import { speakMcp } from '../proxy/mcp-server.ts';
import { call } from '../proxy/start-test-proxy.ts';
import { type Governed, list, openKeys, startGoverned, tokenOf, trusting } from './start-governed-proxy.ts';

interface Cedar {
  readonly entities_json?: string;
  readonly group_claim_name?: string;
  readonly role_claim_name?: string;
}
const authz = (policies: readonly string[], more: Cedar = {}) => ({
  version: '1.0',
  type: 'cedarv1',
  cedar: { policies, ...more },
});
const MODERN = '2026-07-28';

async function govern(policies: readonly string[], more: Cedar = {}) {
  const keys = await openKeys();
  const governed = await startGoverned({
    plan: { ...trusting(keys), authz: authz(policies, more), audit: {} },
  });
  const as = (claims: Record<string, unknown> = {}) => tokenOf(keys, claims);
  const statusOf = async (body: unknown, claims: Record<string, unknown> = {}) =>
    (await governed.proxy.send({ headers: await as(claims), body })).status;
  return { ...governed, as, statusOf };
}

const namesIn = (json: { result: { tools: { name: string }[] } }) =>
  json.result.tools.map(({ name }) => name);

describe('a request', () => {
  it(`${proves('K-5-31', 'K-5-36', 'K-5-32', 'R-4.1-56')} passes only when a policy permits it, and a prohibition wins`, async () => {
    const { proxy, server, as, audited } = await govern([
      'permit(principal == Client::"alice", action == Action::"call_tool", resource == Tool::"add");',
      'permit(principal, action == Action::"call_tool", resource == Tool::"echo");',
      'forbid(principal == Client::"mallory", action, resource);',
    ]);
    const send = async (body: unknown, sub: string) => proxy.send({ headers: await as({ sub }), body });
    expect((await send(call(1, 'add'), 'alice')).status).toBe(200);
    expect((await send(call(2, 'echo'), 'bob')).status).toBe(200);
    const before = server.seen.length;
    const denied = await send(call('seven', 'add'), 'bob');
    expect(denied.status).toBe(403);
    expect(denied.headers['content-type']).toBe('application/json');
    expect(denied.json).toEqual({
      jsonrpc: '2.0',
      id: 'seven',
      error: { code: -32003, message: 'tools/call add is denied by policy' },
    });
    expect((await send(call(3, 'echo'), 'mallory')).status).toBe(403);
    expect((await send(call(4, 'drop'), 'alice')).status).toBe(403);
    expect(server.seen).toHaveLength(before);
    const lines = await audited();
    expect(lines.map(({ outcome, metadata }) => [outcome, metadata])).toMatchObject([
      ['success', { decision: 'allow', policies: ['policies[0]'] }],
      ['success', { decision: 'allow', policies: ['policies[1]'] }],
      ['denied', { decision: 'deny', refusal: 'denied_by_policy' }],
      ['denied', { decision: 'deny', policies: ['policies[2]'] }],
      ['denied', { decision: 'deny' }],
    ]);
  });

  it(`${proves('K-5-31', 'K-5-32')} for prompts and resources has actions and types of its own`, async () => {
    const { statusOf } = await govern([
      'permit(principal, action == Action::"get_prompt", resource == Prompt::"hello");',
      'permit(principal, action == Action::"read_resource", resource == Resource::"res://doc");',
      'permit(principal, action == Action::"list_prompts", resource);',
    ]);
    const cases: readonly (readonly [string, object, number])[] = [
      ['prompts/get', { name: 'hello' }, 200],
      ['prompts/get', { name: 'other' }, 403],
      ['resources/read', { uri: 'res://doc' }, 200],
      ['resources/read', { uri: 'res://secret' }, 403],
      ['resources/subscribe', { uri: 'res://doc' }, 200],
      ['resources/subscribe', { uri: 'res://secret' }, 403],
      ['resources/unsubscribe', { uri: 'res://secret' }, 403],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'hello' } }, 200],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'other' } }, 403],
      ['completion/complete', { ref: { type: 'ref/resource', uri: 'res://secret' } }, 403],
      ['completion/complete', {}, 403],
      ['prompts/list', {}, 200],
      ['resources/list', {}, 403],
      ['resources/templates/list', {}, 403],
      ['subscriptions/listen', { notifications: { toolsListChanged: true } }, 200],
      ['subscriptions/listen', { notifications: { resourceSubscriptions: ['res://doc'] } }, 200],
      [
        'subscriptions/listen',
        { notifications: { resourceSubscriptions: ['res://doc', 'res://secret'] } },
        403,
      ],
      ['tools/call', {}, 403],
      ['tools/call', { name: 7 }, 403],
      ['tasks/list', {}, 403],
      ['x/unknown', {}, 403],
    ];
    for (const [method, params, status] of cases) {
      expect([method, params, await statusOf(list(1, method, params))]).toEqual([method, params, status]);
    }
  });

  it(`${proves('K-8.7-05')} that reaches nothing protected is always allowed`, async () => {
    const { proxy, as, statusOf } = await govern(['forbid(principal, action, resource);']);
    expect(await statusOf(list(1, 'initialize', { protocolVersion: '2025-11-25' }))).toBe(200);
    const headers = await as();
    const session = String(
      (await proxy.send({ headers, body: list(1, 'initialize', { protocolVersion: '2025-11-25' }) })).headers[
        'mcp-session-id'
      ],
    );
    expect(await statusOf(list(2, 'ping'))).toBe(200);
    expect(await statusOf({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBe(202);
    expect(await statusOf({ jsonrpc: '2.0', method: 'notifications/cancelled', params: {} })).toBe(202);
    expect(await statusOf({ jsonrpc: '2.0', id: 4, result: {} })).not.toBe(403);
    const stream = await proxy.open({ headers, session });
    expect(stream.status).toBe(200);
    stream.request.destroy();
    expect((await proxy.send({ method: 'DELETE', headers, session })).status).toBe(204);
    expect(await statusOf(list(3, 'tools/list'))).toBe(403);
  });

  it('that hides a call from policy is refused', async () => {
    const { proxy, server, as } = await govern([
      'permit(principal, action == Action::"call_tool", resource == Tool::"echo");',
    ]);
    const send = async (body: unknown, headers = {}) =>
      (await proxy.send({ headers: { ...(await as()), ...headers }, body })).status;
    const batches = { 'mcp-protocol-version': '2025-03-26' };
    expect(await send([call(1, 'echo'), call(2, 'drop')], batches)).toBe(403);
    expect(await send([call(1, 'echo')], batches)).toBe(200);
    expect(await send({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'drop' } })).toBe(403);
    expect(await send({ ...call(1, 'drop'), id: true })).toBe(403);
    expect(
      await send('{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"drop"}}'),
    ).toBe(403);
    expect(
      await send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","Name":"drop"}}'),
    ).toBe(400);
    expect(await send('{"jsonrpc":"2.0","id":1,"method":"tools/call"')).toBe(400);
    expect(await send({ jsonrpc: '2.0', id: 1, method: 7, params: {} })).toBe(403);
    expect(server.seen.filter(({ body }) => body.includes('drop'))).toHaveLength(0);
  });

  it('of revision 2026-07-28 is judged without a session', async () => {
    const { proxy, as } = await govern([
      'permit(principal, action == Action::"call_tool", resource == Tool::"echo");',
    ]);
    const send = async (name: string) =>
      proxy.send({
        headers: {
          ...(await as()),
          'mcp-protocol-version': MODERN,
          'mcp-method': 'tools/call',
          'mcp-name': name,
        },
        body: {
          ...call(5, name),
          params: {
            name,
            arguments: {},
            _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN },
          },
        },
      });
    expect((await send('echo')).status).toBe(200);
    const denied = await send('drop');
    expect([denied.status, denied.json.id]).toEqual([403, 5]);
  });
});

describe('what policies see', () => {
  it(`${proves('K-8.7-01', 'K-5-33')} are claims of the caller, as attributes and in the context`, async () => {
    const { statusOf } = await govern([
      'permit(principal, action, resource == Tool::"echo") when { principal.claim_team == "red" };',
      'permit(principal, action, resource == Tool::"add") when { context.claim_level > 3 };',
      'permit(principal, action, resource == Tool::"drop") when { context.claim_org.unit == "ops" && principal.claim_groups.contains("admins") };',
    ]);
    expect(await statusOf(call(1, 'echo'), { team: 'red' })).toBe(200);
    expect(await statusOf(call(1, 'echo'), { team: 'blue' })).toBe(403);
    expect(await statusOf(call(1, 'echo'))).toBe(403);
    expect(await statusOf(call(1, 'add'), { level: 4 })).toBe(200);
    expect(await statusOf(call(1, 'add'), { level: 3 })).toBe(403);
    expect(await statusOf(call(1, 'drop'), { org: { unit: 'ops' }, groups: ['admins', 'x'] })).toBe(200);
    expect(await statusOf(call(1, 'drop'), { org: { unit: 'ops' }, groups: ['x'] })).toBe(403);
  });

  it(`${proves('K-8.7-02', 'K-5-33')} are arguments of the call in the context`, async () => {
    const { proxy, as, statusOf } = await govern([
      'permit(principal, action == Action::"call_tool", resource == Tool::"echo") when { context.arg_text like "ok*" };',
      'permit(principal, action == Action::"call_tool", resource == Tool::"add") when { context.arg_n == 7 && context.arg_deep.list.contains("x") && context.arg_flag };',
      'permit(principal, action == Action::"get_prompt", resource) when { context.arg_lang == "en" };',
      'permit(principal, action == Action::"call_tool", resource == Tool::"drop") when { context.arg_rate.lessThan(decimal("1.5")) };',
    ]);
    expect(await statusOf(call(1, 'echo', { text: 'ok then' }))).toBe(200);
    expect(await statusOf(call(1, 'echo', { text: 'no' }))).toBe(403);
    expect(await statusOf(call(1, 'echo'))).toBe(403);
    expect(await statusOf(call(1, 'echo', { text: null }))).toBe(403);
    expect(await statusOf(call(1, 'add', { n: 7, deep: { list: ['x'] }, flag: true, __extn: 1 }))).toBe(200);
    expect(await statusOf(call(1, 'add', { n: 7, deep: { list: [] }, flag: true }))).toBe(403);
    expect(await statusOf(call(1, 'drop', { rate: 1.25 }))).toBe(200);
    expect(await statusOf(call(1, 'drop', { rate: 1.75 }))).toBe(403);
    expect(await statusOf(list(1, 'prompts/get', { name: 'p', arguments: { lang: 'en' } }))).toBe(200);
    const odd =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"ok","n":12345678901234567890,"e":1e400}}}';
    expect((await proxy.send({ headers: await as(), body: odd })).status).toBe(200);
  });

  it(`${proves('K-8.7-03', 'K-5-33')} are annotations of the tool, though no client has listed tools`, async () => {
    const { server, statusOf } = await govern([
      'permit(principal, action == Action::"call_tool", resource) when { resource.readOnlyHint };',
    ]);
    expect(await statusOf(call(1, 'add'))).toBe(200);
    expect(await statusOf(call(2, 'drop'))).toBe(403);
    expect(await statusOf(call(3, 'not-listed'))).toBe(403);
    const asked = server.seen.filter(({ body }) => body.includes('tools/list'));
    expect(asked).toHaveLength(1);
  });

  it('are not asked of the server when no policy looks at them', async () => {
    const { server, statusOf } = await govern(['permit(principal, action, resource == Tool::"add");']);
    expect(await statusOf(call(1, 'add'))).toBe(200);
    expect(server.seen).toHaveLength(1);
  });

  it('deny while the server cannot be asked for annotations', async () => {
    const keys = await openKeys();
    const speak = speakMcp();
    const { proxy } = await startGoverned({
      plan: {
        ...trusting(keys),
        authz: authz(['permit(principal, action, resource) unless { resource has destructiveHint };']),
      },
      answer: (request, response, body) =>
        body.includes('tools/list') ? void response.writeHead(500).end() : speak(request, response, body),
    });
    const reply = await proxy.send({ headers: await tokenOf(keys), body: call(1, 'add') });
    expect([reply.status, reply.json.id]).toEqual([403, 1]);
    expect(proxy.logged.map(({ message }) => message)).toContain('a request could not be judged');
  });

  it(`${proves('K-5-34')} are groups and roles, of the claims that are named`, async () => {
    const policies = [
      'permit(principal in Group::"staff", action, resource == Tool::"add");',
      'permit(principal in Role::"owner", action, resource == Tool::"drop");',
    ];
    const usual = await govern(policies);
    expect(await usual.statusOf(call(1, 'add'), { groups: ['staff'] })).toBe(200);
    expect(await usual.statusOf(call(1, 'add'), { groups: 'staff' })).toBe(200);
    expect(await usual.statusOf(call(1, 'add'), { roles: ['staff'] })).toBe(403);
    expect(await usual.statusOf(call(1, 'drop'), { roles: ['owner'] })).toBe(200);
    const named = await govern(policies, {
      group_claim_name: 'https://x.example/groups',
      role_claim_name: 'realm_access.roles',
      entities_json: JSON.stringify([
        { uid: { type: 'Group', id: 'eng' }, attrs: {}, parents: [{ type: 'Group', id: 'staff' }] },
      ]),
    });
    expect(await named.statusOf(call(1, 'add'), { groups: ['staff'] })).toBe(403);
    expect(await named.statusOf(call(1, 'add'), { 'https://x.example/groups': ['staff'] })).toBe(200);
    expect(await named.statusOf(call(1, 'add'), { 'https://x.example/groups': ['eng'] })).toBe(200);
    expect(await named.statusOf(call(1, 'drop'), { realm_access: { roles: ['owner'] } })).toBe(200);
  });

  it('are attributes of the entities in the file', async () => {
    const { statusOf } = await govern(
      [
        'permit(principal, action == Action::"call_tool", resource) when { resource.owner == principal.claim_sub };',
      ],
      { entities_json: JSON.stringify([{ uid: { type: 'Tool', id: 'add' }, attrs: { owner: 'alice' } }]) },
    );
    expect(await statusOf(call(1, 'add'))).toBe(200);
    expect(await statusOf(call(1, 'add'), { sub: 'bob' })).toBe(403);
    expect(await statusOf(call(1, 'echo'))).toBe(403);
  });

  it('never lets an unreadable prohibition pass', async () => {
    const { statusOf } = await govern([
      'permit(principal, action, resource);',
      'forbid(principal, action == Action::"call_tool", resource) when { context.arg_path like "/etc/*" };',
    ]);
    expect(await statusOf(call(1, 'echo', { path: '/tmp/x' }))).toBe(200);
    expect(await statusOf(call(1, 'echo', { path: '/etc/x' }))).toBe(403);
    expect(await statusOf(call(1, 'echo'))).toBe(403);
  });
});

describe('lists', () => {
  const POLICIES = [
    'permit(principal, action == Action::"list_tools", resource);',
    'permit(principal, action == Action::"call_tool", resource == Tool::"echo");',
    'permit(principal, action == Action::"call_tool", resource) when { resource.readOnlyHint };',
  ];

  it.each([
    ['JSON', {}],
    ['events', { sse: true }],
  ])(`${proves('K-5-35', 'K-8.7-04')} hold what the caller may use, in %s`, async (_, speaking) => {
    const keys = await openKeys();
    const { proxy } = await startGoverned({
      plan: { ...trusting(keys), authz: authz(POLICIES) },
      answer: speakMcp(speaking),
    });
    const reply = await proxy.send({ headers: await tokenOf(keys), body: list() });
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('"echo"');
    expect(reply.text).toContain('"add"');
    expect(reply.text).not.toContain('drop');
  });

  it(`${proves('K-5-35')} are filtered page by page, and keep their cursors`, async () => {
    const keys = await openKeys();
    const { proxy } = await startGoverned({
      plan: { ...trusting(keys), authz: authz(POLICIES) },
      answer: speakMcp({ page: 1 }),
    });
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const params = cursor === undefined ? {} : { cursor };
      const { json } = await proxy.send({
        headers: await tokenOf(keys),
        body: list(1, 'tools/list', params),
      });
      found.push(...namesIn(json));
      cursor = json.result.nextCursor;
    } while (cursor !== undefined);
    expect(found).toEqual(['echo', 'add']);
  });

  it(`${proves('K-8.7-04')} need a permit, and items are judged without arguments`, async () => {
    const { proxy, as, statusOf } = await govern([
      'permit(principal == Client::"alice", action == Action::"list_tools", resource == FeatureType::"tool");',
      'permit(principal, action == Action::"call_tool", resource == Tool::"echo");',
      'permit(principal, action == Action::"call_tool", resource == Tool::"add") when { context has arg_a };',
    ]);
    expect(await statusOf(list(), { sub: 'bob' })).toBe(403);
    const reply = await proxy.send({ headers: await as(), body: list() });
    expect(namesIn(reply.json)).toEqual(['echo']);
    expect(await statusOf(call(1, 'add', { a: 1 }))).toBe(200);
  });

  it(`${proves('K-5-35')} of prompts, resources and templates are filtered too`, async () => {
    const keys = await openKeys();
    const results: Readonly<Record<string, object>> = {
      'prompts/list': { prompts: [{ name: 'a' }, { name: 'b' }] },
      'resources/list': {
        resources: [
          { uri: 'r://a', name: 'x' },
          { uri: 'r://b', name: 'x' },
        ],
      },
      'resources/templates/list': {
        resourceTemplates: [{ uriTemplate: 'r://a/{i}' }, { uriTemplate: 'r://b' }],
      },
    };
    const { proxy } = await startGoverned({
      plan: {
        ...trusting(keys),
        authz: authz([
          'permit(principal, action in [Action::"list_prompts", Action::"list_resources"], resource);',
          'permit(principal, action == Action::"get_prompt", resource == Prompt::"a");',
          'permit(principal, action == Action::"read_resource", resource) when { resource.name like "r://a*" };',
        ]),
      },
      answer: (_request, response, body) => {
        const { id, method } = JSON.parse(body.toString());
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
      },
    });
    const resultOf = async (method: string) =>
      (await proxy.send({ headers: await tokenOf(keys), body: list(1, method) })).json.result;
    expect(await resultOf('prompts/list')).toEqual({ prompts: [{ name: 'a' }] });
    expect(await resultOf('resources/list')).toEqual({ resources: [{ uri: 'r://a', name: 'x' }] });
    expect(await resultOf('resources/templates/list')).toEqual({
      resourceTemplates: [{ uriTemplate: 'r://a/{i}' }],
    });
  });

  it('with other names are judged by the names of the server', async () => {
    const keys = await openKeys();
    const governed: Governed = await startGoverned({
      plan: {
        ...trusting(keys),
        tools: { allow: ['sum', 'echo', 'drop'], override: { add: { name: 'sum' } } },
        authz: authz([
          'permit(principal, action == Action::"list_tools", resource);',
          'permit(principal, action == Action::"call_tool", resource == Tool::"add");',
        ]),
      },
    });
    const send = async (body: unknown) => governed.proxy.send({ headers: await tokenOf(keys), body });
    expect(namesIn((await send(list())).json)).toEqual(['sum']);
    expect((await send(call(1, 'sum'))).status).toBe(200);
    expect((await send(call(1, 'add'))).json.error.code).toBe(-32602);
    expect((await send(call(1, 'echo'))).status).toBe(403);
  });
});

describe('the file', () => {
  const good = {
    version: '1.0',
    type: 'cedarv1',
    cedar: { policies: ['permit(principal, action, resource);'] },
  };
  const messageOf = async (text: string, file = 'authz.yaml') => {
    const error = await readAuthzFile(text, file).catch((thrown: unknown) => thrown);
    return error instanceof Error ? error.message : 'no error';
  };

  it(`${proves('K-5-30')} is JSON, also with tabs, or YAML`, async () => {
    expect(await readAuthzFile(JSON.stringify(good), 'a.json')).toEqual(good);
    expect(await readAuthzFile(JSON.stringify(good, null, '\t'), 'a.json')).toEqual(good);
    const yaml = `version: "1.0"\ntype: cedarv1\ncedar:\n  policies:\n    - |\n      permit(principal, action, resource)\n      when { context.arg_x == "\${HOME}" };\n  entities_json: "[]"\n  group_claim_name: groups\n`;
    const read = await readAuthzFile(yaml, 'a.yaml');
    expect(read.cedar).toMatchObject({ group_claim_name: 'groups', entities_json: '[]' });
    expect(read.cedar.policies[0]).toContain(`"\${HOME}"`);
  });

  it(`${proves('K-5-37')} names the line of a bad policy`, async () => {
    const yaml =
      'version: "1.0"\ntype: cedarv1\ncedar:\n  policies:\n    - permit(principal, action, resource);\n    - |\n      permit(\n        principal,\n        action = Action::"x",\n        resource\n      );\n';
    expect(await messageOf(yaml)).toMatch(/authz\.yaml:9:.*cedar\.policies\[1\]/);
    const json = JSON.stringify(
      { ...good, cedar: { policies: ['permit(principal, action, resource);', 'permit('] } },
      null,
      2,
    );
    expect(await messageOf(json, 'a.json')).toMatch(/a\.json:7:.*cedar\.policies\[1\]/);
    expect(
      await messageOf(
        JSON.stringify({
          ...good,
          cedar: { policies: ['permit(principal == ?principal, action, resource);'] },
        }),
      ),
    ).toContain('template');
  });

  it.each([
    [{ ...good, extra: 1 }, 'extra'],
    [{ ...good, cedar: { ...good.cedar, polices: [] } }, 'polices'],
    [{ ...good, type: 'cedarv9' }, 'type'],
    [{ ...good, cedar: { policies: [] } }, 'policies'],
    [{ version: '1.0', type: 'cedarv1' }, 'cedar'],
    [{ ...good, cedar: { ...good.cedar, entities_json: '{' } }, 'entities_json'],
    [{ ...good, cedar: { ...good.cedar, entities_json: '[{"id":1}]' } }, 'entities_json'],
    [
      {
        ...good,
        cedar: {
          ...good.cedar,
          entities_json: JSON.stringify([
            { uid: { type: 'A', id: 'x' }, parents: [{ type: 'A', id: 'y' }] },
            { uid: { type: 'A', id: 'y' }, parents: [{ type: 'A', id: 'x' }] },
          ]),
        },
      },
      'entities_json',
    ],
  ])(`${proves('K-5-30', 'K-5-37')} is strict: %j`, async (content, named) => {
    const message = await messageOf(JSON.stringify(content, null, 2), 'a.json');
    expect(message).toMatch(/a\.json:\d+/);
    expect(message).toContain(named);
  });
});
