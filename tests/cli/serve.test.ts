import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { waitForSignal } from '../../cli/wait-for-signal.ts';
import { parseAddress } from '../../server/parse-address.ts';
import { proves } from '../requirements/proves.ts';
import { startServer } from '../sources/net/loopback-server.ts';
import { findCommand } from '../support/built-command.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { startService } from '../support/start-service.ts';
import {
  AUTHZ,
  enterDirectory,
  fileSource,
  listServers,
  makeConfig,
  makeServerJson,
} from './working-directory.ts';

function runBuilt(
  words: readonly string[],
  cwd: string,
): Promise<{ code: number | null; stderr: string; stdout: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [findCommand(), ...words], { cwd, env: childEnvironment() });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('close', (code) => resolve({ code, stderr, stdout }));
  });
}

describe('addresses', () => {
  it.each([
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
    ['registry.example.com:443', { host: 'registry.example.com', port: 443 }],
    [':8080', { port: 8080 }],
    ['[::1]:8080', { host: '::1', port: 8080 }],
  ])(`${proves('C-1-06')} reads %s`, (text, address) => {
    expect(parseAddress(text, '--address')).toEqual(address);
  });

  it.each([
    '8080',
    'host',
    'host:',
    '::1:8080',
    'host:99999',
    'host:-1',
    'a b:1',
    '',
  ])('refuses %j', (text) => {
    expect(() => parseAddress(text, '--address')).toThrow(
      expect.objectContaining({ code: 'address_invalid' }),
    );
  });
});

describe('berth serve', () => {
  it(`${proves('C-1-05', 'C-1-06')} serves on all interfaces with :port, in the mode of --auth-mode, and ends with 0`, async () => {
    const dir = enterDirectory();
    dir.write('a.json', listServers(makeServerJson('io.x/one')));
    const config = makeConfig([fileSource('a', 'a.json', { claims: { org: 'x' } })], { auth: AUTHZ });
    const service = await startService(config, {
      dir: dir.path,
      args: ['--address', ':0', '--auth-mode', 'anonymous'],
    });
    try {
      const reply = await service.ask('/registry/main/v0.1/servers');
      expect(reply.status).toBe(200);
      expect(reply.json.metadata.count).toBe(1);
      service.signal('SIGTERM');
      expect(await service.exited).toEqual({ code: 0, signal: null });
    } finally {
      await service.stop();
    }
  });

  it.each(['--address', '--internal-address'])('ends with 1 when the port of %s is taken', async (flag) => {
    const dir = enterDirectory();
    dir.write('a.json', listServers(makeServerJson('io.x/one')));
    dir.write('registry.config.yaml', makeConfig([fileSource('a', 'a.json')]));
    const { port } = await startServer((_request, response) => void response.end());
    const ports = {
      '--address': '127.0.0.1:0',
      '--internal-address': '127.0.0.1:0',
      [flag]: `127.0.0.1:${port}`,
    };
    const { code, stderr } = await runBuilt(['serve', ...Object.entries(ports).flat()], dir.path);
    expect(stderr).toContain(`${flag}: Something listens on 127.0.0.1:${port} already.`);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(1);
  });
});

describe('a signal', () => {
  it('asks to end once, however often it comes at once; later it ends the process', async () => {
    const exits: (string | number | null | undefined)[] = [];
    const owner = Object.assign(new EventEmitter(), {
      exit: (code?: string | number | null) => {
        exits.push(code);
        throw new Error('ended');
      },
    });
    let now = 0;
    const asked = waitForSignal(owner, () => now);
    owner.emit('SIGINT');
    await asked;
    now = 100;
    owner.emit('SIGINT');
    expect(exits).toEqual([]);
    now = 5000;
    expect(() => owner.emit('SIGTERM')).toThrow('ended');
    expect(exits).toEqual([1]);
  });
});

describe('a reader that goes away', () => {
  it('ends the command without a word', async () => {
    const child = spawn(process.execPath, [findCommand(), '--help'], {
      env: childEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    await new Promise((resolve) => child.on('close', resolve));
    expect(stderr).toBe('');
  });
});
