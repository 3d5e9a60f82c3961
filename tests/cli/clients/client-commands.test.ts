import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { findClientFile } from '../../../cli/clients/client-file.ts';
import { AI_CLIENTS } from '../../../cli/clients/client-table.ts';
import { addToClients, removeFromClients } from '../../../cli/clients/update-clients.ts';
import { findUserDirectories } from '../../../cli/user-directories.ts';
import { identifyProcess } from '../../../cli/workloads/process-identity.ts';
import { proves } from '../../requirements/proves.ts';
import { runBerth } from '../run-berth.ts';
import { makeHome } from '../secrets/make-home.ts';

const WORKLOAD = { name: 'fetch', url: 'http://127.0.0.1:4711/mcp', transport: 'stdio', group: 'default' };

function makeUser() {
  const home = makeHome();
  const write = (path: string, text: string): string => {
    const file = join(home.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  return {
    ...home,
    write,
    read: (path: string) => readFileSync(join(home.path, path), 'utf8'),
    run: (...words: string[]) => runBerth(words, home.env),
  };
}

describe('berth client', () => {
  it(`${proves('K-1-27')} lists the known clients, which are there and which are registered`, async () => {
    const { run, write } = makeUser();
    write('.cursor/mcp.json', '{}');
    mkdirSync(join(dirname(write('.claude/x', '')), 'y'));
    expect((await run('client', 'register', 'cursor')).code).toBe(0);
    const clients = JSON.parse((await run('client', 'list', '--format', 'json')).stdout);
    expect(clients.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['claude-code', 'vscode', 'codex', 'gemini-cli', 'goose', 'zed', 'copilot-cli']),
    );
    const of = (wanted: string) => clients.find(({ name }: { name: string }) => name === wanted);
    expect(of('cursor')).toMatchObject({ installed: true, registered: true, groups: ['default'] });
    expect(of('claude-code')).toMatchObject({ installed: true, registered: false, groups: [] });
    expect(of('windsurf')).toMatchObject({ installed: false, registered: false });
    const { lines } = await run('client', 'list');
    expect(lines[0]).toMatch(/^CLIENT +INSTALLED +REGISTERED +FILE$/);
    expect(lines.find((line) => line.startsWith('cursor'))).toMatch(/yes +default +\//);
  });

  it('refuses a client that there is not, with the nearest name', async () => {
    const { run } = makeUser();
    expect(await run('client', 'register', 'cursr')).toMatchObject({
      code: 1,
      stderr: 'There is no AI client "cursr". Did you mean "cursor"?\n',
    });
    expect((await run('client', 'register')).code).toBe(2);
    expect((await run('client', 'remove', 'cursor')).code).toBe(1);
    expect((await run('client', 'register', 'cursor', '--group', 'nobody')).code).toBe(1);
  });

  it(`${proves('K-1-26')} writes what runs already when a client is registered, and takes it out again`, async () => {
    const { run, write, read } = makeUser();
    const state = {
      stateVersion: 1,
      plan: {
        schemaVersion: '1',
        name: 'fetch',
        server: { kind: 'remote', url: 'https://mcp.example.com' },
        transport: 'streamable-http',
        target: {},
        proxy: {},
        network: {},
        profile: {},
        ignore: {},
        limits: {},
      },
      status: 'running',
      created: '2026-01-01T00:00:00Z',
      updated: '2026-01-01T00:00:00Z',
      url: WORKLOAD.url,
      package: 'https://mcp.example.com',
      isolation: '',
      supervisor: identifyProcess(process.pid),
    };
    write('s/berth/workloads/fetch.json', JSON.stringify(state));
    const stopped = { ...state, status: 'stopped', plan: { ...state.plan, name: 'stopped' } };
    write('s/berth/workloads/stopped.json', JSON.stringify(stopped));
    const before = '{\n  // mine\n  "mcpServers": {\n    "own": { "command": "x" }\n  }\n}\n';
    write('.cursor/mcp.json', before);
    const registered = await run('client', 'register', 'cursor', 'claude-code');
    expect(registered).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(read('.cursor/mcp.json').replace('// mine', '')).mcpServers).toEqual({
      own: { command: 'x' },
      fetch: { type: 'http', url: WORKLOAD.url },
    });
    expect(JSON.parse(read('.claude.json'))).toEqual({
      mcpServers: { fetch: { type: 'http', url: WORKLOAD.url } },
    });
    expect((await run('client', 'remove', 'cursor', 'claude-code')).code).toBe(0);
    expect(read('.cursor/mcp.json')).toBe(before);
    expect(() => read('.claude.json')).toThrow('ENOENT');
  });
});

describe('a workload that becomes ready', () => {
  it(`${proves('K-1-26')} is written for every registered client in its own way, and leaves no trace`, async () => {
    const { run, directories, read, path, env } = makeUser();
    await run('client', 'register', ...AI_CLIENTS.map(({ name }) => name));
    expect(await addToClients(directories, WORKLOAD)).toEqual([]);
    const { url } = WORKLOAD;
    expect(JSON.parse(read('c/Code/User/mcp.json'))).toEqual({ servers: { fetch: { type: 'http', url } } });
    expect(JSON.parse(read('.codeium/windsurf/mcp_config.json'))).toEqual({
      mcpServers: { fetch: { type: 'http', serverUrl: url } },
    });
    expect(JSON.parse(read('.gemini/settings.json'))).toEqual({ mcpServers: { fetch: { httpUrl: url } } });
    expect(read('.codex/config.toml')).toBe(`[mcp_servers.fetch]\nurl = "${url}"\n`);
    expect(parseYaml(read('c/goose/config.yaml'))).toEqual({
      extensions: { fetch: { name: 'fetch', type: 'streamable_http', uri: url, enabled: true, timeout: 60 } },
    });
    expect(JSON.parse(read('c/zed/settings.json'))).toEqual({ context_servers: { fetch: { url } } });
    expect(JSON.parse(read('.copilot/mcp-config.json'))).toEqual({
      mcpServers: { fetch: { type: 'http', url, tools: ['*'] } },
    });
    expect(JSON.parse(read('c/opencode/opencode.json'))).toEqual({
      mcp: { fetch: { type: 'remote', url, enabled: true } },
    });
    expect(JSON.parse(read('c/amp/settings.json'))).toEqual({
      'amp.mcpServers': { fetch: { type: 'http', url } },
    });
    expect(statSync(join(path, '.codex/config.toml')).mode & 0o777).toBe(0o600);
    expect(await removeFromClients(findUserDirectories(env), 'fetch')).toEqual([]);
    for (const client of AI_CLIENTS) expect(existsSync(findClientFile(client, directories).file)).toBe(false);
  });

  it('is written as SSE when it is served so', async () => {
    const { run, directories, read } = makeUser();
    await run('client', 'register', 'cursor', 'gemini-cli');
    await addToClients(directories, { ...WORKLOAD, url: 'http://127.0.0.1:1/sse' });
    expect(JSON.parse(read('.cursor/mcp.json')).mcpServers.fetch.type).toBe('sse');
    expect(JSON.parse(read('.gemini/settings.json')).mcpServers.fetch).toEqual({
      url: 'http://127.0.0.1:1/sse',
    });
  });

  it('is written only for clients of its group', async () => {
    const { run, directories, path } = makeUser();
    await run('client', 'register', 'cursor');
    expect(await addToClients(directories, { ...WORKLOAD, group: 'other' })).toEqual([]);
    expect(existsSync(join(path, '.cursor/mcp.json'))).toBe(false);
  });

  it('leaves broken files and entries of the user alone, with one line about each', async () => {
    const { run, write, directories, read } = makeUser();
    write('.cursor/mcp.json', '{ "mcpServers": {\n');
    write('.gemini/settings.json', '{"mcpServers":{"fetch":{"command":"my own"}}}');
    write('.codex/config.toml', 'mcp_servers = {}\n');
    await run('client', 'register', 'cursor', 'gemini-cli', 'codex', 'kiro');
    const warnings = await addToClients(directories, WORKLOAD);
    expect(warnings).toHaveLength(3);
    for (const warning of warnings) expect(warning).toMatch(/^Warning: [^\n]+$/);
    expect(warnings.join('\n')).toMatch(
      /\.cursor\/mcp\.json.*no valid JSON.*\n.*codex.*\n.*"fetch" of its own/,
    );
    expect(read('.cursor/mcp.json')).toBe('{ "mcpServers": {\n');
    expect(JSON.parse(read('.kiro/settings/mcp.json')).mcpServers.fetch).toEqual({ url: WORKLOAD.url });
    await removeFromClients(directories, 'fetch');
    expect(read('.gemini/settings.json')).toBe('{"mcpServers":{"fetch":{"command":"my own"}}}');
    expect(read('.codex/config.toml')).toBe('mcp_servers = {}\n');
  });

  it('follows links and keeps the mode of a file', async () => {
    const { run, write, directories, path } = makeUser();
    const target = write('dotfiles/cursor.json', '{}');
    chmodSync(target, 0o640);
    mkdirSync(join(path, '.cursor'));
    symlinkSync(target, join(path, '.cursor/mcp.json'));
    await run('client', 'register', 'cursor');
    await addToClients(directories, WORKLOAD);
    expect(lstatSync(join(path, '.cursor/mcp.json')).isSymbolicLink()).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(readFileSync(target, 'utf8')).toContain(WORKLOAD.url);
    await removeFromClients(directories, 'fetch');
    expect(readFileSync(target, 'utf8')).toBe('{}');
  });

  it('is written beside others that become ready at the same time', async () => {
    const { run, directories, read } = makeUser();
    await run('client', 'register', 'cursor', 'codex');
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(names.map((name) => addToClients(directories, { ...WORKLOAD, name })));
    expect(Object.keys(JSON.parse(read('.cursor/mcp.json')).mcpServers).sort()).toEqual(names);
    await Promise.all(names.map((name) => removeFromClients(directories, name)));
    expect(() => read('.cursor/mcp.json')).toThrow('ENOENT');
    expect(() => read('.codex/config.toml')).toThrow('ENOENT');
  });
});

describe('the file of a client', () => {
  const vscode = AI_CLIENTS.find(({ name }) => name === 'vscode');
  const goose = AI_CLIENTS.find(({ name }) => name === 'goose');

  it('is looked for where the platform has it', () => {
    if (!vscode || !goose) throw new Error('not in the table');
    const directories = findUserDirectories({}, '/home/u');
    expect(findClientFile(vscode, directories, 'linux').file).toBe('/home/u/.config/Code/User/mcp.json');
    expect(findClientFile(vscode, directories, 'darwin').file).toBe(
      '/home/u/Library/Application Support/Code/User/mcp.json',
    );
    expect(findClientFile(vscode, directories, 'win32').file).toBe(
      '/home/u/AppData/Roaming/Code/User/mcp.json',
    );
    expect(findClientFile(goose, directories, 'win32').file).toBe(
      '/home/u/AppData/Roaming/Block/goose/config/config.yaml',
    );
  });

  it('is found below ~/.config too when XDG_CONFIG_HOME is elsewhere', () => {
    if (!vscode) throw new Error('not in the table');
    const { write, directories, path } = makeUser();
    expect(findClientFile(vscode, directories, 'linux')).toEqual({
      file: join(path, 'c/Code/User/mcp.json'),
      isFound: false,
    });
    const file = write('.config/Code/User/mcp.json', '{}');
    expect(findClientFile(vscode, directories, 'linux')).toEqual({ file, isFound: true });
  });
});
