import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proves } from '../../requirements/proves.ts';
import { callTool, findFreePort, startMcpFixture } from '../../support/start-mcp-fixture.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { makeWorkloadName, makeWorkloadSandbox } from '../../support/workload-sandbox.ts';

const LIMIT_MS = 90_000;
/** No engine: a remote run needs none. */
const NO_ENGINE = { DOCKER_HOST: 'unix:///nowhere/engine.sock' };

describe('a remote workload', { timeout: LIMIT_MS }, () => {
  it(`${proves('K-1-01', 'K-1-04', 'K-1-13', 'K-1-14', 'K-1-11', 'K-8.1-01', 'K-8.1-02', 'K-8.1-05', 'K-8.1-11', 'R-4.1-01')} answers when run ends, is listed, and outlives the command`, async () => {
    const remote = await startMcpFixture();
    const { berth, must, state } = makeWorkloadSandbox(NO_ENGINE);
    const name = makeWorkloadName('remote');
    const { stdout, stderr } = await must('run', '--format', 'json', '--name', name, remote);
    const outcome = JSON.parse(stdout);
    expect(Object.keys(outcome)).toEqual(['name', 'url', 'transport', 'isolation', 'log']);
    expect(outcome).toMatchObject({ name, transport: 'streamable-http' });
    expect(existsSync(outcome.log)).toBe(true);
    expect(stderr).toBe('');
    expect(await callTool(outcome.url, 'echo', { text: 'through' })).toContain('through');

    const listed = JSON.parse((await must('ls', '--format', 'json')).stdout);
    expect(listed).toEqual([
      {
        name,
        status: 'running',
        url: outcome.url,
        transport: 'streamable-http',
        group: 'default',
        package: remote,
        created: expect.any(String),
      },
    ]);
    expect(JSON.parse((await must('status', name, '--format', 'json')).stdout)).toEqual(listed[0]);
    expect((await must('list')).stdout.split('\n')[1]).toMatch(new RegExp(`^${name}\\s+running\\s+http`));
    expect((await berth('status', `${name}x`)).stderr).toContain(`Did you mean "${name}"?`);
    expect(statSync(join(state, 'workloads', `${name}.json`)).mode & 0o077).toBe(0);
  });

  it(`${proves('K-1-02')} is told of in lines for people`, async () => {
    const remote = await startMcpFixture();
    const { must, state } = makeWorkloadSandbox(NO_ENGINE);
    const name = makeWorkloadName('text');
    const { stdout } = await must('run', '--name', name, remote);
    const { url } = JSON.parse((await must('status', name, '--format', 'json')).stdout);
    for (const part of [name, url, 'streamable-http', 'isolated', join(state, 'logs', name)]) {
      expect(stdout).toContain(part);
    }
    expect(stdout.split('\n').filter((line) => line.includes('Isolation'))).toHaveLength(1);
  });

  it(`${proves('K-1-17', 'K-1-18', 'K-1-19', 'K-1-20', 'K-8.1-03', 'K-8.1-08', 'K-8.1-09')} stops, starts at its URL, restarts, and goes without a trace`, async () => {
    const remote = await startMcpFixture();
    const { berth, must, state } = makeWorkloadSandbox(NO_ENGINE);
    const name = makeWorkloadName('life');
    const { url } = JSON.parse((await must('run', '--format', 'json', '--name', name, remote)).stdout);
    const supervisor = () =>
      JSON.parse(readFileSync(join(state, 'workloads', `${name}.json`), 'utf8')).supervisor?.pid;
    await must('stop', name);
    await expect(callTool(url, 'echo')).rejects.toThrow();
    expect((await must('list')).stdout).not.toContain(name);
    expect((await must('list', '--all')).stdout).toMatch(new RegExp(`${name}\\s+stopped`));
    await must('start', name);
    expect(await callTool(url, 'echo', { text: 'again' })).toContain('again');
    const before = supervisor();
    await must('restart', name);
    expect(await callTool(url, 'echo', { text: 'anew' })).toContain('anew');
    expect(supervisor()).not.toBe(before);
    await must('rm', name);
    await expect(callTool(url, 'echo')).rejects.toThrow();
    expect(readdirSync(join(state, 'workloads'))).toEqual([]);
    expect(readdirSync(join(state, 'logs'))).toEqual([]);
    expect((await berth('rm', name)).code).toBe(1);
  });

  it(`${proves('K-3-14', 'K-8.1-04')} is no longer shown as running when its supervisor was killed, and start --all brings it back`, async () => {
    const remote = await startMcpFixture();
    const { must, state } = makeWorkloadSandbox(NO_ENGINE);
    const names = [makeWorkloadName('a'), makeWorkloadName('b')];
    const urls: string[] = [];
    for (const name of names) {
      urls.push(JSON.parse((await must('run', '--format', 'json', '--name', name, remote)).stdout).url);
      const { supervisor } = JSON.parse(readFileSync(join(state, 'workloads', `${name}.json`), 'utf8'));
      process.kill(supervisor.pid, 'SIGKILL');
    }
    const statuses = async () =>
      JSON.parse((await must('list', '--format', 'json')).stdout).map(
        ({ status }: { status: string }) => status,
      );
    await waitUntil(async () => (await statuses()).join() === 'error,error', 'both are errors');
    await must('start', '--all');
    expect(await statuses()).toEqual(['running', 'running']);
    for (const url of urls) expect(await callTool(url, 'echo', { text: 'back' })).toContain('back');
  });

  it(`${proves('K-1-23', 'R-4.1-03', 'K-3-05', 'K-8.1-14')} belongs to a group, which has to be there`, async () => {
    const remote = await startMcpFixture();
    const { berth, must } = makeWorkloadSandbox(NO_ENGINE);
    const name = makeWorkloadName('grouped');
    const unknown = await berth('run', '--name', name, '--group', 'team', remote);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no group "team"')]);
    await must('group', 'create', 'team');
    await must('run', '--name', name, '--group', 'team', remote);
    const taken = await berth('run', '--name', name, remote);
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('in the group team')]);
    expect(JSON.parse((await must('group', 'list', '--format', 'json')).stdout)).toEqual([
      { name: 'default', workloads: [] },
      { name: 'team', workloads: [name] },
    ]);
    expect((await berth('group', 'rm', 'team')).code).toBe(1);
    expect((await berth('group', 'rm', 'default')).code).toBe(1);
    await must('group', 'rm', 'team', '--with-workloads');
    expect(JSON.parse((await must('list', '--format', 'json')).stdout)).toEqual([]);
  });

  it(`${proves('K-1-21', 'K-1-22', 'K-8.1-06')} is exported to standard output, to a file and for clients`, async () => {
    const remote = await startMcpFixture();
    const { must, state } = makeWorkloadSandbox(NO_ENGINE);
    const name = makeWorkloadName('export');
    const { url } = JSON.parse((await must('run', '--format', 'json', '--name', name, remote)).stdout);
    const printed = (await must('export', name)).stdout;
    expect(JSON.parse(printed)).toMatchObject({
      schemaVersion: '1',
      name,
      server: { kind: 'remote', url: remote },
    });
    const file = join(state, '..', 'export', 'plan.json');
    await must('export', name, file);
    expect(readFileSync(file, 'utf8')).toBe(printed);
    expect(statSync(file).mode & 0o077).toBe(0);
    const clients = JSON.parse((await must('export', name, '--format', 'mcpServers')).stdout);
    expect(clients).toEqual({ mcpServers: { [name]: { url, type: 'http' } } });
  });

  it(`${proves('K-1-05', 'K-1-07', 'K-8.1-16')} that cannot be reached fails with the cause and leaves nothing`, async () => {
    const port = await findFreePort();
    const { berth, must, state } = makeWorkloadSandbox(NO_ENGINE);
    const args = ['--name', makeWorkloadName('gone'), '--detach-timeout', '2s'];
    const { code, stderr, stdout } = await berth('run', ...args, `http://127.0.0.1:${port}/mcp`);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('within 2s');
    expect(stderr).toContain(String(port));
    expect(JSON.parse((await must('list', '--format', 'json')).stdout)).toEqual([]);
    expect(readdirSync(join(state, 'logs'))).toEqual([]);
  });

  it(`${proves('K-1-08', 'K-3-04', 'K-8.1-12')} with a malformed name is a usage error that writes nothing`, async () => {
    const { berth, state } = makeWorkloadSandbox(NO_ENGINE);
    expect((await berth('run', '--name', 'a/b', 'http://127.0.0.1:9/mcp')).code).toBe(2);
    expect((await berth('run', '--frobnicate', 'http://127.0.0.1:9/mcp')).code).toBe(2);
    expect(existsSync(state)).toBe(false);
  });

  it(`${proves('K-3-06', 'K-3-07')} binds its port before it is told, and refuses one that is taken`, async () => {
    const remote = await startMcpFixture();
    const { berth, must } = makeWorkloadSandbox(NO_ENGINE);
    const { url } = JSON.parse((await must('run', '--format', 'json', remote)).stdout);
    const { port } = new URL(url);
    const busy = await berth('run', '--name', makeWorkloadName('busy'), '--proxy-port', port, remote);
    expect([busy.code, busy.stderr]).toEqual([1, expect.stringContaining(port)]);
  });

  it('lists the others beside a torn state, and can remove that one', async () => {
    const remote = await startMcpFixture();
    const { must, state } = makeWorkloadSandbox(NO_ENGINE);
    const name = makeWorkloadName('whole');
    await must('run', '--name', name, remote);
    const file = join(state, 'workloads', 'torn.json');
    writeFileSync(file, '{"oops"');
    const { stdout, stderr } = await must('list', '--format', 'json');
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(stderr).toContain(file);
    await must('rm', 'torn');
    expect(existsSync(file)).toBe(false);
  });

  it(`${proves('K-1-16')} has a log of its proxy, of which the last lines can be had`, async () => {
    const remote = await startMcpFixture();
    const { berth, must } = makeWorkloadSandbox(NO_ENGINE);
    const name = makeWorkloadName('logs');
    await must('run', '--name', name, remote);
    await must('restart', name);
    const lines = (await must('logs', name, '--proxy')).stdout.trim().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    expect((await must('logs', name, '--proxy', '--tail', '1')).stdout.trim()).toBe(lines.at(-1));
    expect((await berth('logs', name, '--tail', 'some')).code).toBe(2);
  });

  it(`${proves('R-4.1-02')} of which there are twenty at once have names of their own`, async () => {
    const remote = await startMcpFixture();
    const { must } = makeWorkloadSandbox(NO_ENGINE);
    await Promise.all(Array.from({ length: 20 }, () => must('run', remote)));
    const listed: { name: string; status: string; url: string }[] = JSON.parse(
      (await must('list', '--format', 'json')).stdout,
    );
    expect(new Set(listed.map(({ name }) => name)).size).toBe(20);
    expect(new Set(listed.map(({ url }) => url)).size).toBe(20);
    for (const { status, url } of listed) {
      expect(status).toBe('running');
      expect(await callTool(url, 'echo', { text: 'me too' })).toContain('me too');
    }
  });
});
