import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { identifyProcess } from '../../../cli/workloads/process-identity.ts';
import { proves } from '../../requirements/proves.ts';
import { runBerth } from '../run-berth.ts';
import { makeHome } from '../secrets/make-home.ts';
import { runTyping } from '../secrets/run-typing.ts';
import { answerJson, startServer } from './start-server.ts';

interface Call {
  readonly id?: number;
  readonly method: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly cursor?: string;
    readonly name?: string;
    readonly arguments?: object;
  };
}

/** A small MCP server of revision 2025-11-25 whose tools come in two pages. */
async function startMcp(token?: string) {
  return startServer(({ body, method, headers }, response) => {
    if (token !== undefined && headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    if (method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const call: Call = JSON.parse(body);
    if (call.id === undefined) response.writeHead(202).end();
    else {
      const answer = answerCall(call);
      const outcome = 'code' in answer ? { error: answer } : { result: answer };
      answerJson(response, JSON.stringify({ jsonrpc: '2.0', id: call.id, ...outcome }));
    }
  });
}

function answerCall({ method, params }: Call): object {
  const tool = (name: string) => ({
    name,
    description: `About ${name}\nmore`,
    inputSchema: { type: 'object' },
  });
  if (method === 'initialize') {
    return {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {}, prompts: {} },
      serverInfo: { name: 'small', version: '1' },
    };
  }
  if (method === 'tools/list') {
    return params?.cursor ? { tools: [tool('fail')] } : { tools: [tool('echo')], nextCursor: '2' };
  }
  if (method === 'prompts/list') return { prompts: [{ name: 'greet' }] };
  if (method === 'tools/call' && params?.name === 'echo') {
    return { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] };
  }
  if (method === 'tools/call' && params?.name === 'fail') {
    return { content: [{ type: 'text', text: 'it went wrong' }], isError: true };
  }
  return { code: -32_601, message: `no ${method} ${params?.name ?? ''}` };
}

/** A home with a workload called `small` at this URL. */
function makeUser(url: string, status = 'running') {
  const home = makeHome();
  const directory = join(home.directories.state, 'workloads');
  mkdirSync(directory, { recursive: true });
  const plan = {
    schemaVersion: '1',
    name: 'small',
    server: { kind: 'remote', url: 'https://mcp.example.com' },
    transport: 'streamable-http',
    target: {},
    proxy: {},
    network: {},
    profile: {},
    ignore: {},
    limits: {},
  };
  const state = {
    stateVersion: 1,
    plan,
    status,
    created: '2026-01-01T00:00:00Z',
    updated: '2026-01-01T00:00:00Z',
    url,
    package: 'x',
    isolation: '',
    supervisor: identifyProcess(process.pid),
  };
  writeFileSync(join(directory, 'small.json'), JSON.stringify(state));
  return { ...home, run: (...words: string[]) => runBerth(words, home.env) };
}

describe('berth mcp', () => {
  it(`${proves('K-1-30', 'K-8.1-07')} lists what a workload has, page after page`, async () => {
    const { origin } = await startMcp();
    const { run } = makeUser(`${origin}/mcp`);
    const listed = await run('mcp', 'list', 'small');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.lines).toEqual(['NAME  DESCRIPTION', 'echo  About echo', 'fail  About fail']);
    const json = JSON.parse((await run('mcp', 'list', '--server', 'small', '--format', 'json')).stdout);
    expect(json.tools.map(({ name }: { name: string }) => name)).toEqual(['echo', 'fail']);
    expect((await run('mcp', 'list', 'prompts', '--server', 'small')).lines[1]).toBe('greet');
    expect((await run('mcp', 'list', `${origin}/mcp`, 'resources')).stdout).toBe('There are no resources.\n');
  });

  it(`${proves('K-1-30', 'K-8.1-07')} calls a tool, and ends with 1 when it answers with an error`, async () => {
    const { origin } = await startMcp();
    const { run, path } = makeUser(`${origin}/mcp`);
    const called = await run('mcp', 'call', 'small', 'echo', '--args', '{"a":"\u00e9"}');
    expect(called).toMatchObject({ code: 0, stdout: '{"a":"\u00e9"}\n', stderr: '' });
    const file = join(path, 'args.json');
    writeFileSync(file, '{"b":2}');
    const fromFile = await run(
      'mcp',
      'call',
      'echo',
      '--server',
      'small',
      '--args-file',
      file,
      '--format',
      'json',
    );
    expect(JSON.parse(fromFile.stdout)).toMatchObject({ content: [{ type: 'text', text: '{"b":2}' }] });
    expect(await run('mcp', 'call', 'small', 'fail')).toMatchObject({ code: 1, stdout: 'it went wrong\n' });
    expect(await run('mcp', 'call', 'small', 'unknown')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('no tools/call unknown'),
    });
  });

  it('refuses what it cannot read before it asks anybody', async () => {
    const { origin, seen } = await startMcp();
    const { run } = makeUser(`${origin}/mcp`);
    for (const words of [
      ['call', 'small', 'echo', '--args', '[1]'],
      ['call', 'small', 'echo', '--args', '{'],
      ['call', 'small'],
      ['call', 'small', 'echo', '--timeout', 'soon'],
      ['list'],
      ['list', 'small', 'tool'],
      ['list', 'small', '--header', 'nothing'],
    ]) {
      expect((await run('mcp', ...words)).code).toBe(2);
    }
    expect(seen).toEqual([]);
  });

  it('sends a token and headers, and says when a token is missing', async () => {
    const { origin, seen } = await startMcp('secret-token');
    const { run, path } = makeUser(`${origin}/mcp`);
    const file = join(path, 'token');
    writeFileSync(file, 'secret-token\n');
    chmodSync(file, 0o600);
    const listed = await run('mcp', 'list', 'small', '--token-file', file, '--header', 'X-Team: blue');
    expect(listed).toMatchObject({ code: 0 });
    expect(seen.every(({ headers }) => headers['x-team'] === 'blue')).toBe(true);
    const refused = await run('mcp', 'list', 'small');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--token-file') });
  });

  it('names the nearest workload, and says why one does not answer', async () => {
    const { run } = makeUser('http://127.0.0.1:1/mcp', 'stopped');
    expect(await run('mcp', 'list', 'smal')).toMatchObject({
      code: 1,
      stderr: 'There is no workload "smal". Did you mean "small"?\n',
    });
    expect(await run('mcp', 'list', 'small')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/does not run: it is stopped.*berth start small/),
    });
    expect((await run('mcp', 'list', 'http://127.0.0.1:1/mcp', '--timeout', '2s')).code).toBe(1);
  });
});

describe('berth proxy stdio', () => {
  it(`${proves('K-1-31')} bridges standard input and output to a workload by its name`, async () => {
    const { origin } = await startMcp();
    const { env, run } = makeUser(`${origin}/mcp`);
    const params =
      '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}';
    const bridged = await runTyping(
      ['proxy', 'stdio', 'small'],
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${params}}\n{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"a":1}}}\n`,
      env,
    );
    expect(bridged).toMatchObject({ code: 0, stderr: '' });
    const messages = bridged.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(messages.map(({ id }) => id)).toEqual([1, 2]);
    expect(messages[1].result.content[0].text).toBe('{"a":1}');
    expect((await run('proxy', 'stdio', 'other')).code).toBe(1);
  });
});
