import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWebhookFiles } from '../../../cli/policy/webhooks/webhook-config.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { call } from '../proxy/start-test-proxy.ts';
import { parseFlags } from '../run/parse-words.ts';
import { list, openKeys, startGoverned, tokenOf, trusting } from './start-governed-proxy.ts';
import { hook, startWebhook, type TestWebhook } from './start-webhook.ts';

const KEY = 'hush-signing-key';
type Kind = 'validating' | 'mutating';

/** A proxy that asks one webhook. */
async function asking(kind: Kind, webhook: TestWebhook, more: object = {}, plan: object = {}) {
  return startGoverned({
    plan: { audit: {}, webhooks: { [kind]: [hook(webhook.url, more)] }, ...plan },
    secrets: { signing: KEY },
  });
}

const patching = (...patch: object[]) => ({ patch_type: 'json_patch', patch });

describe('a webhook', () => {
  it(`${proves('K-5-46', 'K-5-49')} is posted the request, signed`, async () => {
    const keys = await openKeys();
    const webhook = await startWebhook();
    const { proxy } = await asking('validating', webhook, { hmac_secret_ref: 'signing' }, trusting(keys));
    const body = call(1, 'echo', { text: 'x', n: 1 });
    const claims = { email: 'a@x.example', name: 'Ann', groups: ['dev'], jti: 'j' };
    const before = Date.now();
    expect((await proxy.send({ headers: await tokenOf(keys, claims), body })).status).toBe(200);
    const [got] = webhook.calls;
    expect(got?.payload).toEqual({
      version: 'v0.1.0',
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      principal: {
        sub: 'alice',
        email: 'a@x.example',
        name: 'Ann',
        groups: ['dev'],
        claims: expect.objectContaining({ sub: 'alice', aud: 'tested' }),
      },
      mcp_request: body,
      context: {
        server_name: 'tested',
        backend_server: 'tested',
        group: 'default',
        source_ip: '127.0.0.1',
        transport: 'streamable-http',
        request_id: expect.any(String),
      },
    });
    const timestamp = String(got?.headers['x-berth-timestamp']);
    expect(Number(timestamp) * 1000).toBeGreaterThan(before - 2000);
    const expected = createHmac('sha256', KEY).update(`${timestamp}.${got?.raw}`).digest('hex');
    expect(got?.headers['x-berth-signature']).toBe(`sha256=${expected}`);
    expect(got?.headers['content-type']).toBe('application/json');
    expect(got?.headers.authorization).toBeUndefined();
    expect(got?.raw).not.toContain('eyJ');
  });

  it('without a secret is not signed, and knows no principal of a stranger', async () => {
    const webhook = await startWebhook();
    const { proxy } = await asking('validating', webhook);
    await proxy.send({ body: call(1, 'echo') });
    const [got] = webhook.calls;
    expect(got?.headers['x-berth-signature']).toBeUndefined();
    expect(got?.payload.principal).toBeNull();
  });

  it(`${proves('K-5-47')} denies with 403, its message and the id`, async () => {
    const webhook = await startWebhook(() => ({ allowed: false, code: 451, message: 'not on fridays' }));
    const { proxy, server, audited } = await asking('validating', webhook);
    const reply = await proxy.send({ body: call('q', 'echo') });
    expect(reply.status).toBe(403);
    expect(reply.json).toEqual({
      jsonrpc: '2.0',
      id: 'q',
      error: { code: -32003, message: 'not on fridays', data: { code: 451 } },
    });
    expect(server.seen).toHaveLength(0);
    expect((await audited())[0]).toMatchObject({
      outcome: 'denied',
      metadata: { refusal: 'denied_by_webhook' },
    });
  });

  it('is asked about everything but notifications and answers', async () => {
    const webhook = await startWebhook();
    const { proxy } = await asking('validating', webhook);
    const session = await proxy.initialize();
    const send = (body: unknown, headers = {}) => proxy.send({ session, body, headers });
    await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await send({ jsonrpc: '2.0', id: 9, result: {} });
    await send(list());
    await send({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'no-id' } });
    await send({ ...call(1, 'odd-id'), id: true });
    expect(webhook.calls.map(({ payload }) => payload.mcp_request.method)).toEqual([
      'initialize',
      'tools/list',
      'tools/call',
      'tools/call',
    ]);
  });

  it('is asked about every call of a batch, which passes as a whole or not at all', async () => {
    const webhook = await startWebhook(({ payload }) => {
      const { name } = payload.mcp_request.params;
      if (name === 'bad') return { allowed: false, message: 'bad' };
      return patching({ op: 'add', path: '/mcp_request/params/arguments/from', value: name });
    });
    const { proxy, server } = await asking('mutating', webhook);
    const headers = { 'mcp-protocol-version': '2025-03-26' };
    const passed = await proxy.send({ headers, body: [call(1, 'a'), call(2, 'b')] });
    expect(passed.status).toBe(200);
    expect(JSON.parse(server.seen[0]?.body ?? '')).toMatchObject([
      { id: 1, params: { arguments: { from: 'a' } } },
      { id: 2, params: { arguments: { from: 'b' } } },
    ]);
    const denied = await proxy.send({ headers, body: [call(3, 'a'), call(4, 'bad')] });
    expect([denied.status, denied.json.id]).toEqual([403, 4]);
    expect(server.seen).toHaveLength(1);
  });
});

describe('a webhook that fails', () => {
  it.each([
    ['answers 500', (response: import('node:http').ServerResponse) => void response.writeHead(500).end('{}')],
    ['answers no JSON', (response: import('node:http').ServerResponse) => void response.end('<html>')],
    [
      'answers no decision',
      (response: import('node:http').ServerResponse) => void response.end('{"uid":"x"}'),
    ],
    [
      'answers for another',
      (response: import('node:http').ServerResponse) => void response.end('{"uid":"x","allowed":true}'),
    ],
    ['hangs up', (response: import('node:http').ServerResponse) => void response.destroy()],
    [
      'redirects',
      (response: import('node:http').ServerResponse) =>
        void response.writeHead(307, { location: '/else' }).end(),
    ],
    [
      'never ends',
      (response: import('node:http').ServerResponse) => void response.write('{"allowed":true,"message":"'),
    ],
    [
      'answers without end',
      (response: import('node:http').ServerResponse) => {
        const piece = Buffer.alloc(65_536, 0x20);
        const push = (): void => {
          while (!response.destroyed && response.write(piece));
          if (!response.destroyed) response.once('drain', push);
        };
        push();
      },
    ],
  ])(`${proves('K-5-44')} (%s) refuses with fail, and is passed over with ignore`, async (_, answer) => {
    const webhook = await startWebhook(() => answer);
    const failing = await asking('validating', webhook, { timeout: 1 });
    const reply = await failing.proxy.send({ body: call(1, 'echo') });
    expect([reply.status, reply.json.id, reply.json.error.message]).toEqual([
      403,
      1,
      'the webhook hook failed',
    ]);
    expect(failing.server.seen).toHaveLength(0);
    expect(failing.proxy.logged.some(({ message }) => message === 'a webhook failed')).toBe(true);
    const ignored = await asking('mutating', webhook, { timeout: 1, failure_policy: 'ignore' });
    expect((await ignored.proxy.send({ body: call(1, 'echo') })).status).toBe(200);
  });

  it(`${proves('K-5-44')} because nobody listens is one that fails`, async () => {
    const plan = (failure_policy: string) => ({
      webhooks: { validating: [hook('http://127.0.0.1:1/', { failure_policy })] },
    });
    const fail = await startGoverned({ plan: plan('fail') });
    expect((await fail.proxy.send({ body: call(1, 'echo') })).status).toBe(403);
    const ignore = await startGoverned({ plan: plan('ignore') });
    expect((await ignore.proxy.send({ body: call(1, 'echo') })).status).toBe(200);
  });

  it(`${proves('K-5-44')} does not fail open when it says no`, async () => {
    const webhook = await startWebhook(() => ({ allowed: false }));
    const { proxy } = await asking('validating', webhook, { failure_policy: 'ignore' });
    expect((await proxy.send({ body: call(1, 'echo') })).status).toBe(403);
  });

  it('for want of its secret stops the start', async () => {
    const webhooks = { validating: [hook('http://127.0.0.1:1/', { hmac_secret_ref: 'nowhere' })] };
    await expect(startGoverned({ plan: { webhooks } })).rejects.toThrow(/nowhere/);
    const tls_config = { ca_bundle_path: '/nowhere.pem' };
    const missing = { validating: [{ name: 'h', url: 'https://127.0.0.1:1/', tls_config }] };
    await expect(startGoverned({ plan: { webhooks: missing } })).rejects.toMatchObject({
      code: 'webhook_tls',
    });
  });
});

describe('a mutating webhook', () => {
  it(`${proves('K-5-48')} changes the request, and the next one sees it changed`, async () => {
    const first = await startWebhook(() =>
      patching(
        { op: 'replace', path: '/mcp_request/params/arguments/text', value: 'changed' },
        { op: 'add', path: '/mcp_request/params/arguments/more', value: [1] },
      ),
    );
    const second = await startWebhook(() =>
      patching({ op: 'remove', path: '/mcp_request/params/arguments/more' }),
    );
    const judging = await startWebhook();
    const { proxy, server } = await startGoverned({
      plan: {
        webhooks: {
          mutating: [hook(first.url, { name: 'a' }), hook(second.url, { name: 'b' })],
          validating: [hook(judging.url)],
        },
      },
    });
    expect((await proxy.send({ body: call(1, 'echo', { text: 'x' }) })).status).toBe(200);
    expect(second.calls[0]?.payload.mcp_request.params.arguments).toEqual({ text: 'changed', more: [1] });
    expect(judging.calls[0]?.payload.mcp_request.params.arguments).toEqual({ text: 'changed' });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(call(1, 'echo', { text: 'changed' }));
  });

  it('takes Mcp-Name along', async () => {
    const webhook = await startWebhook(() =>
      patching({ op: 'replace', path: '/mcp_request/params/name', value: 'añadir' }),
    );
    const { proxy, server } = await asking('mutating', webhook);
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' };
    await proxy.send({ headers, body: call(1, 'echo') });
    expect(server.seen[0]?.headers).toMatchObject({
      'mcp-method': 'tools/call',
      'mcp-name': `=?base64?${Buffer.from('añadir').toString('base64')}?=`,
    });
  });

  it.each([
    [{ op: 'replace', path: '/principal/sub', value: 'root' }],
    [{ op: 'replace', path: '', value: {} }],
    [{ op: 'add', path: '/mcp_requestx', value: {} }],
    [{ op: 'move', from: '/context/server_name', path: '/mcp_request/params/x' }],
    [{ op: 'copy', from: '/principal', path: '/mcp_request/params/x' }],
    [{ op: 'replace', path: '/mcp_request/id', value: 2 }],
    [{ op: 'remove', path: '/mcp_request/id' }],
    [{ op: 'replace', path: '/mcp_request', value: 7 }],
    [{ op: 'replace', path: '/mcp_request/params/nothing/here', value: 7 }],
  ])(`${proves('K-5-50', 'K-8.7-10')} may change the request alone: %j fails the call`, async (operation) => {
    const webhook = await startWebhook(() => patching(operation));
    const { proxy, server } = await asking('mutating', webhook, { failure_policy: 'ignore' });
    const reply = await proxy.send({ body: call(1, 'echo') });
    expect([reply.status, reply.json.id]).toEqual([403, 1]);
    expect(server.seen).toHaveLength(0);
  });

  it('leaves a request without a patch as it came, byte for byte', async () => {
    const webhook = await startWebhook();
    const { proxy, server } = await asking('mutating', webhook);
    const body =
      '{ "jsonrpc":"2.0","id":1, "method":"tools/call","params":{"name":"echo","arguments":{"n":1.0e2,"b":12345678901234567890}}}';
    await proxy.send({ body });
    expect(server.seen[0]?.body).toBe(body);
  });
});

describe('certificates', () => {
  const makeCertificates = () => {
    const directory = makeDirectory();
    const run = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    run('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=tests');
    for (const [name, extension] of [
      ['server', 'subjectAltName=IP:127.0.0.1'],
      ['client', 'extendedKeyUsage=clientAuth'],
    ] as const) {
      run('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
      writeFileSync(join(directory, `${name}.ext`), extension);
      run(
        'x509',
        '-req',
        '-in',
        `${name}.csr`,
        '-CA',
        'ca.pem',
        '-CAkey',
        'ca.key',
        '-CAcreateserial',
        '-days',
        '2',
        '-extfile',
        `${name}.ext`,
        '-out',
        `${name}.pem`,
      );
    }
    const read = (name: string) => readFileSync(join(directory, name));
    return { directory, read };
  };

  it(`${proves('K-5-45')} are those of the configuration, with paths from its directory`, async () => {
    const { directory, read } = makeCertificates();
    const server = { key: read('server.key'), cert: read('server.pem'), ca: read('ca.pem') };
    const webhook = await startWebhook(() => ({}), server);
    const mutual = await startWebhook(() => ({}), { ...server, requestCert: true, rejectUnauthorized: true });
    const statusFor = async (url: string, tls_config: object | undefined) => {
      const file = join(directory, 'hooks.yaml');
      writeFileSync(file, JSON.stringify({ validating: [{ name: 'h', url, tls_config }] }));
      const { webhooks } = await parseFlags(['--webhook-config', file], '/');
      const { proxy } = await startGoverned({ plan: { webhooks } });
      return (await proxy.send({ body: call(1, 'echo') })).status;
    };
    const ca_bundle_path = 'ca.pem';
    expect(await statusFor(webhook.url, undefined)).toBe(403);
    expect(await statusFor(webhook.url, { ca_bundle_path })).toBe(200);
    expect(await statusFor(webhook.url, { insecure_skip_verify: true })).toBe(200);
    expect(await statusFor(mutual.url, { ca_bundle_path })).toBe(403);
    const client = { client_cert_path: 'client.pem', client_key_path: './client.key' };
    expect(await statusFor(mutual.url, { ca_bundle_path, ...client })).toBe(200);
    expect([webhook.calls.length, mutual.calls.length]).toEqual([2, 1]);
  });

  it(`${proves('K-5-45')} may come with --berth-ca-bundle`, async () => {
    const { directory, read } = makeCertificates();
    const webhook = await startWebhook(() => ({}), { key: read('server.key'), cert: read('server.pem') });
    const plan = {
      caBundle: join(directory, 'ca.pem'),
      webhooks: { validating: [{ name: 'h', url: webhook.url }] },
    };
    const { proxy } = await startGoverned({ plan });
    expect((await proxy.send({ body: call(1, 'echo') })).status).toBe(200);
  });
});

describe('the files', () => {
  const one = (name: string, url = 'https://h.example/') => ({ name, url });

  it(`${proves('R-4.1-59', 'K-8.7-06', 'K-5-42', 'K-5-43')} are JSON or YAML, repeated, and merged by name`, async () => {
    const directory = makeDirectory();
    writeFileSync(
      join(directory, 'a.yaml'),
      'validating:\n  - {name: v, url: "https://one.example/"}\n  - {name: w, url: "https://w.example/"}\n',
    );
    writeFileSync(
      join(directory, 'b.json'),
      JSON.stringify({
        mutating: [one('m')],
        validating: [{ ...one('v', 'https://two.example/'), timeout: '5s' }],
      }),
    );
    const words = ['--webhook-config', 'a.yaml', '--webhook-config', 'b.json'];
    const { webhooks } = await parseFlags(words, directory);
    expect(webhooks).toEqual({
      validating: [
        { name: 'v', url: 'https://two.example/', timeout: 5, failure_policy: 'fail' },
        { name: 'w', url: 'https://w.example/', timeout: 10, failure_policy: 'fail' },
      ],
      mutating: [{ name: 'm', url: 'https://h.example/', timeout: 10, failure_policy: 'fail' }],
    });
  });

  it.each([
    [10, 10],
    [1, 1],
    [30, 30],
    ['5s', 5],
    ['1500ms', 1.5],
    ['0m20s', 20],
    ['7', 7],
  ])(`${proves('K-8.7-08', 'K-5-43')} take a timeout of %j`, (timeout, seconds) => {
    const text = JSON.stringify({ validating: [{ ...one('v'), timeout }] });
    expect(readWebhookFiles([{ text, file: 'w.json' }]).validating[0]?.timeout).toBe(seconds);
  });

  it.each([
    [{ timeout: 0 }, 'timeout'],
    [{ timeout: 31 }, 'timeout'],
    [{ timeout: '500ms' }, 'timeout'],
    [{ timeout: '1m' }, 'timeout'],
    [{ timeout: 'soon' }, 'timeout'],
    [{ failure_policy: 'maybe' }, 'failure_policy'],
    [{ extra: 1 }, 'extra'],
    [{ tls_config: { insecure: true } }, 'insecure'],
    [{ tls_config: { client_cert_path: 'c' } }, 'client_key_path'],
    [{ url: 'http://127.0.0.1:1/' }, 'https'],
    [{ url: 'http://h.example/', tls_config: { insecure_skip_verify: true } }, 'https'],
    [{ url: 'ftp://h.example/' }, 'url'],
    [{ name: '' }, 'name'],
    [{ url: undefined }, 'url'],
  ])(`${proves('K-8.7-06', 'K-5-42', 'K-8.4-02')} refuse %j`, (change, named) => {
    const text = JSON.stringify({ mutating: [{ ...one('v'), ...change }] }, null, 2);
    expect(() => readWebhookFiles([{ text, file: 'w.json' }])).toThrow(/w\.json:\d+/);
    expect(() => readWebhookFiles([{ text, file: 'w.json' }])).toThrow(named);
  });
});
