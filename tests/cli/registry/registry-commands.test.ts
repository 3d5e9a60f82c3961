import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proves } from '../../requirements/proves.ts';
import { runBerth } from '../run-berth.ts';
import { enterDirectory, listServers, makeServerJson } from '../working-directory.ts';
import { openLoopbackRegistry } from './loopback-registry.ts';

function enterHome() {
  const directory = enterDirectory();
  const env = {
    HOME: directory.path,
    XDG_CONFIG_HOME: join(directory.path, 'c'),
    XDG_DATA_HOME: join(directory.path, 'd'),
    XDG_STATE_HOME: join(directory.path, 's'),
    BERTH_SECRETS_PASSWORD: 'x',
  };
  const file = join(directory.path, 'c', 'berth', 'config.yaml');
  return { ...directory, file, run: (...words: string[]) => runBerth(words, env) };
}

const server = (name: string, version = '1.0.0') => ({ name, version, description: `About ${name}` });

describe('registry set, list, info, search', () => {
  it(`${proves('K-1-28', 'K-8.3-01')} work with a URL`, async () => {
    const { run } = enterHome();
    const { url } = await openLoopbackRegistry([
      server('io.example/echo', '2.0.0'),
      server('io.other/fetch'),
    ]);
    expect(await run('registry', 'set', url)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(url),
    });
    const listed = await run('registry', 'list', '--format', 'json');
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { name: 'io.example/echo', version: '2.0.0' },
      { name: 'io.other/fetch' },
    ]);
    expect((await run('registry', 'list')).stdout).toContain('io.other/fetch');
    expect((await run('registry', 'search', 'fetch')).stdout).not.toContain('echo');
    expect(JSON.parse((await run('registry', 'info', 'echo', '--format', 'json')).stdout)).toMatchObject(
      server('io.example/echo', '2.0.0'),
    );
    expect((await run('registry', 'info', 'io.example/echo')).stdout).toContain('About io.example/echo');
    const unknown = await run('registry', 'info', 'io.example/ecko');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('"io.example/echo"') });
  });

  it(`${proves('K-1-28')} work with a file, and go back to the sample`, async () => {
    const { run, write, file } = enterHome();
    write('servers.json', listServers(makeServerJson('io.example/mine')));
    expect((await run('registry', 'set', 'servers.json')).code).toBe(0);
    expect((await run('registry', 'list')).stdout).toContain('io.example/mine');
    expect((await run('registry', 'set', 'nowhere.json')).code).toBe(1);
    expect(readFileSync(file, 'utf8')).toContain('servers.json');
    expect((await run('registry', 'set', 'sample')).code).toBe(0);
    expect((await run('registry', 'list')).stdout).toContain('io.github.modelcontextprotocol/server-fetch');
  });

  it('does not send the token file of one registry to another', async () => {
    const { run, write, file } = enterHome();
    write('token', 't');
    await run('registry', 'set', 'http://127.0.0.1:1', '--token-file', 'token');
    expect(readFileSync(file, 'utf8')).toContain('registry-token-file');
    await run('registry', 'set', 'http://127.0.0.1:2');
    expect(readFileSync(file, 'utf8')).not.toContain('token');
  });
});

describe('config set, get, unset', () => {
  it('keep comments, order and other settings, in a file of the owner', async () => {
    const { run, write, file } = enterHome();
    write('c/berth/config.yaml', '# mine\nsecrets:\n  provider: environment # stays\n');
    expect((await run('config', 'set', 'build-env', 'NPM_CONFIG_REGISTRY', 'https://npm.example')).code).toBe(
      0,
    );
    expect((await run('config', 'set', 'build-env', 'NPM_TOKEN', '--from-secret', 'npm')).code).toBe(0);
    expect((await run('config', 'set', 'build-env', 'GOPRIVATE=a=b')).code).toBe(0);
    write('npmrc', 'x');
    expect((await run('config', 'set', 'build-auth-file', 'npmrc', 'npmrc')).code).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('# mine');
    expect(text).toContain('provider: environment # stays');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await run('config', 'get', 'build-env')).lines).toEqual([
      'NPM_CONFIG_REGISTRY=https://npm.example',
      'NPM_TOKEN from the secret npm',
      'GOPRIVATE=a=b',
    ]);
    expect((await run('config', 'unset', 'build-env', 'NPM_TOKEN')).code).toBe(0);
    expect((await run('config', 'get', 'build-env')).stdout).not.toContain('NPM_TOKEN');
    expect((await run('config', 'unset', 'build-env')).code).toBe(0);
    expect((await run('config', 'get', 'build-env')).code).toBe(1);
    expect(JSON.parse((await run('config', 'get', '--format', 'json')).stdout)).toHaveProperty(
      'build-auth-file',
    );
  });

  it.each([
    [['config', 'set', 'nothing', 'x'], 2],
    [['config', 'set', 'build-env', '1A', 'x'], 2],
    [['config', 'set', 'build-env', 'A'], 2],
    [['config', 'set', 'build-env', 'A', 'x', '--from-env', 'B'], 2],
    [['config', 'set', 'build-auth-file', 'npmrc'], 2],
    [['config', 'set', 'build-auth-file', 'other', 'f'], 2],
    [['config', 'set', 'build-auth-file', 'npmrc', 'missing'], 1],
    [['config', 'set', 'ca-cert', 'missing'], 1],
    [['config', 'unset', 'registry'], 1],
  ])('%j ends with %i and writes nothing', async (words, code) => {
    const { run, file } = enterHome();
    const ran = await run(...words);
    expect(ran.code).toBe(code);
    expect(ran.stderr).not.toBe('');
    expect(existsSync(file)).toBe(false);
  });

  it('refuses settings that are not valid, with their line', async () => {
    const { run, write } = enterHome();
    write('c/berth/config.yaml', 'registry: x\nfrobnicate: 1\n');
    const ran = await run('config', 'set', 'registry', 'http://127.0.0.1:1');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/config\.yaml:2:.*frobnicate/);
  });

  it('leaves the comments of a file whose last setting went', async () => {
    const { run, write, file } = enterHome();
    write('c/berth/config.yaml', '# mine\n\nregistry: http://127.0.0.1:1\n');
    expect((await run('config', 'unset', 'registry')).code).toBe(0);
    expect((await run('config', 'get')).stdout).toContain('sample');
    expect((await run('config', 'set', 'registry', 'http://127.0.0.1:2')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('# mine');
  });
});
