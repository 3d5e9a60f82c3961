import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Dockerode from 'dockerode';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Engine, LABELS } from '../../../cli/engine/engine.ts';
import { proves } from '../../requirements/proves.ts';
import { findCommand } from '../../support/built-command.ts';
import { childEnvironment } from '../../support/child-environment.ts';
import { ensureTestImages, openTestEngine, TEST_IMAGES } from '../../support/engine-images.ts';
import { callTool } from '../../support/start-mcp-fixture.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { makeWorkloadName, makeWorkloadSandbox } from '../../support/workload-sandbox.ts';

const LIMIT_MS = 180_000;
let engine: Engine;

beforeAll(async () => {
  engine = await openTestEngine();
  await ensureTestImages(engine, ['mcp', 'gateway']);
}, 600_000);

const sandbox = () => makeWorkloadSandbox({ BERTH_GATEWAY_IMAGE: TEST_IMAGES.gateway });
const STDIO = ['--transport', 'stdio', '--isolate-network=false'];

async function countOf(name: string): Promise<number> {
  const labels = [`${LABELS.workload}=${name}`];
  return (await engine.listContainers(labels)).length + (await engine.listNetworks(labels)).length;
}

function readState(state: string, name: string) {
  return JSON.parse(readFileSync(join(state, 'workloads', `${name}.json`), 'utf8'));
}

describe('a workload in a container', { timeout: LIMIT_MS }, () => {
  it(`${proves('K-3-11', 'K-8.1-10', 'K-1-15', 'K-8.5-14')} notices within two seconds that its server exited, answers who waits, and starts it again`, async () => {
    const { must, state } = sandbox();
    const name = makeWorkloadName('crash');
    const { url } = JSON.parse(
      (await must('run', '--format', 'json', '--name', name, ...STDIO, TEST_IMAGES.mcp)).stdout,
    );
    await callTool(url, 'complain', { text: 'a line before the end' });
    const waiting = callTool(url, 'wait', { ms: 100_000 });
    await callTool(url, 'echo', { text: 'still here' });
    const begun = performance.now();
    const exiting = callTool(url, 'exit', { code: 7 });
    await waitUntil(() => readState(state, name).status !== 'running', 'it is noticed', 5_000);
    expect(performance.now() - begun).toBeLessThan(4_000);
    expect(await waiting).toContain('"error"');
    expect(await exiting).toContain('"error"');
    expect(readState(state, name).reason).toContain('exit code 7');
    await waitUntil(() => readState(state, name).status === 'running', 'it runs again', 30_000);
    expect(await callTool(url, 'echo', { text: 'again' })).toContain('again');
    expect((await must('logs', name)).stdout).toContain('a line before the end');
  });

  it(`${proves('K-3-12', 'K-8.9-11', 'K-8.1-08')} leaves nothing behind when it is removed while it runs`, async () => {
    const { must, state } = sandbox();
    const name = makeWorkloadName('isolated');
    await must('run', '--name', name, '--transport', 'stdio', TEST_IMAGES.mcp);
    // Server, gateway and their networks.
    expect(await countOf(name)).toBeGreaterThanOrEqual(3);
    await must('rm', name);
    expect(await countOf(name)).toBe(0);
    expect(readdirSync(join(state, 'workloads'))).toEqual([]);
  });

  it(`${proves('K-1-06', 'K-1-07')} that ends at once fails with its last lines, and leaves nothing`, async () => {
    const { berth, must } = sandbox();
    const name = makeWorkloadName('dies');
    const { code, stderr } = await berth(
      'run',
      '--name',
      name,
      ...STDIO,
      TEST_IMAGES.mcp,
      '--',
      'http',
      'no-port',
    );
    expect(code).toBe(1);
    expect(stderr).toContain('The server ended with exit code');
    expect(stderr).toContain('ERR_SOCKET_BAD_PORT');
    expect(await countOf(name)).toBe(0);
    expect(JSON.parse((await must('list', '--format', 'json')).stdout)).toEqual([]);
  });

  it(`${proves('K-3-14')} is started again after its supervisor was killed and its container left alone`, async () => {
    const { must, state } = sandbox();
    const name = makeWorkloadName('orphan');
    const { url } = JSON.parse(
      (await must('run', '--format', 'json', '--name', name, ...STDIO, TEST_IMAGES.mcp)).stdout,
    );
    process.kill(readState(state, name).supervisor.pid, 'SIGKILL');
    await waitUntil(
      async () => JSON.parse((await must('status', name, '--format', 'json')).stdout).status === 'error',
      'it is an error',
    );
    expect(await countOf(name)).toBe(1);
    await must('start', '--all');
    expect(await callTool(url, 'echo', { text: 'back' })).toContain('back');
    expect(await countOf(name)).toBe(1);
  });

  it(`${proves('K-1-12', 'K-8.1-17', 'R-4.1-05')} in the foreground goes with Ctrl+C`, async () => {
    const { env, must } = sandbox();
    const name = makeWorkloadName('front');
    const child = spawn(
      process.execPath,
      [findCommand(), 'run', '-f', '--name', name, ...STDIO, TEST_IMAGES.mcp],
      {
        env: childEnvironment(env),
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await waitUntil(() => output.includes('Log:'), 'it says that it runs', 60_000);
    expect(JSON.parse((await must('status', name, '--format', 'json')).stdout).status).toBe('running');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(await countOf(name)).toBe(0);
    expect(JSON.parse((await must('list', '--format', 'json')).stdout)).toEqual([]);
  });

  it(`${proves('R-4.1-04')} in the foreground ends with its server`, async () => {
    const { env } = sandbox();
    const name = makeWorkloadName('ends');
    const args = ['run', '--foreground', '--format', 'json', '--name', name, ...STDIO, TEST_IMAGES.mcp];
    const child = spawn(process.execPath, [findCommand(), ...args], {
      env: childEnvironment(env),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await waitUntil(() => output.trim().endsWith('}'), 'it says that it runs', 60_000);
    void callTool(JSON.parse(output).url, 'exit', { code: 3 }).catch(() => undefined);
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(await countOf(name)).toBe(0);
  });

  it(`${proves('K-1-34')} that is gone leaves what prune takes, and nothing of others`, async () => {
    const { must, state } = sandbox();
    const name = makeWorkloadName('prune');
    await must('run', '--name', name, ...STDIO, TEST_IMAGES.mcp);
    const other = sandbox();
    const stays = makeWorkloadName('stays');
    await other.must('run', '--name', stays, ...STDIO, TEST_IMAGES.mcp);
    process.kill(readState(state, name).supervisor.pid, 'SIGKILL');
    rmSync(join(state, 'workloads', `${name}.json`));
    const dry = JSON.parse((await must('prune', '--dry-run', '--format', 'json')).stdout);
    expect(dry.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['container', 'log']),
    );
    expect(await countOf(name)).toBe(1);
    await must('prune');
    expect(await countOf(name)).toBe(0);
    expect(readdirSync(join(state, 'logs'))).toEqual([]);
    expect(await countOf(stays)).toBe(1);
  });

  it(`${proves('K-3-03')} has its secret in the server, and nowhere else`, async () => {
    const value = 'a-value-nobody-may-see-4711';
    const { env, must, state } = sandbox();
    const name = makeWorkloadName('secret');
    const set = spawn(process.execPath, [findCommand(), 'secret', 'set', 'token'], {
      env: childEnvironment(env),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    set.stdin.end(value);
    expect(await once(set, 'exit')).toEqual([0, null]);
    const flags = ['--transport', 'stdio', '--secret', 'token,target=TOKEN'];
    const { stdout } = await must('run', '--format', 'json', '--name', name, ...flags, TEST_IMAGES.mcp);
    expect(await callTool(JSON.parse(stdout).url, 'env', { name: 'TOKEN' })).toContain(value);
    const { supervisor } = readState(state, name);
    const places = [
      stdout,
      (await must('export', name)).stdout,
      (await must('logs', name)).stdout,
      (await must('logs', name, '--proxy')).stdout,
      readFileSync(join(state, 'workloads', `${name}.json`), 'utf8'),
      readFileSync(`/proc/${supervisor.pid}/cmdline`, 'utf8'),
    ];
    const docker = new Dockerode({ socketPath: engine.address.replace('unix://', '') });
    for (const { id, labels } of await engine.listContainers([`${LABELS.workload}=${name}`])) {
      places.push(JSON.stringify(labels));
      if (labels[LABELS.role] === 'gateway')
        places.push(JSON.stringify(await docker.getContainer(id).inspect()));
    }
    expect(places).toHaveLength(9);
    for (const place of places) expect(place).not.toContain(value);
  });
});
