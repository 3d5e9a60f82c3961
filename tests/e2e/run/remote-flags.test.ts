import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proves } from '../../requirements/proves.ts';
import { findCommand } from '../../support/built-command.ts';
import { run } from '../../support/run-command.ts';
import { callTool, startMcpFixture } from '../../support/start-mcp-fixture.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { makeWorkloadName, makeWorkloadSandbox } from '../../support/workload-sandbox.ts';

const LIMIT_MS = 90_000;
const NO_ENGINE = { DOCKER_HOST: 'unix:///nowhere/engine.sock' };

/** A registry behind TLS with a certificate only `ca` vouches for. */
async function startTlsRegistry(): Promise<{ readonly url: string; readonly ca: string }> {
  const directory = makeDirectory();
  const [key, ca] = [join(directory, 'key.pem'), join(directory, 'ca.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost,IP:127.0.0.1',
      '-keyout',
      key,
      '-out',
      ca,
    ],
    { stdio: 'ignore' },
  );
  const server = {
    name: 'com.acme/behind-tls',
    description: 'x',
    version: '1.0.0',
    remotes: [{ type: 'streamable-http', url: 'https://tools.acme.example/mcp' }],
  };
  const listener = createServer({ key: readFileSync(key), cert: readFileSync(ca) }, (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ server, _meta: {} }));
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void listener.close());
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `https://localhost:${address.port}`, ca };
}

describe('flags of run for a remote server', { timeout: LIMIT_MS }, () => {
  it(`${proves('R-4.1-40')} --berth-ca-bundle makes the tool trust a registry`, async () => {
    const registry = await startTlsRegistry();
    const { berth, must } = makeWorkloadSandbox(NO_ENGINE);
    await must('registry', 'set', registry.url);
    const refused = await berth('run', '--dry-run', 'com.acme/behind-tls');
    // What may be an image is not held up by a registry that cannot be asked.
    expect(JSON.parse(refused.stdout).server.kind).toBe('image');
    expect(refused.stderr).toContain('certificate is not trusted');
    const trusted = await must('run', '--dry-run', '--berth-ca-bundle', registry.ca, 'com.acme/behind-tls');
    expect(JSON.parse(trusted.stdout).server.url).toBe('https://tools.acme.example/mcp');
  });

  it(`${proves('R-4.1-60')} --debug writes what was asked into the log of the proxy`, async () => {
    const remote = await startMcpFixture();
    const { must } = makeWorkloadSandbox(NO_ENGINE);
    for (const flags of [[], ['--debug']]) {
      const name = makeWorkloadName('debug');
      const { stdout } = await must('run', '--format', 'json', '--name', name, ...flags, remote);
      await callTool(JSON.parse(stdout).url, 'echo', { text: 'hello' });
      const log = (await must('logs', name, '--proxy')).stdout;
      expect(log.includes('"level":"debug"')).toBe(flags.length > 0);
    }
  });

  it(`${proves('K-2-32', 'K-2-34')} needs no engine, and is listed, filtered, audited, exported and stopped like any other`, async () => {
    const remote = await startMcpFixture();
    const { berth, must } = makeWorkloadSandbox(NO_ENGINE);
    const name = makeWorkloadName('managed');
    const { stdout } = await must(
      'run',
      '--format',
      'json',
      '--name',
      name,
      '--tools',
      'echo',
      '--enable-audit',
      remote,
    );
    const { url } = JSON.parse(stdout);
    expect(await callTool(url, 'echo', { text: 'allowed' })).toContain('allowed');
    expect(await callTool(url, 'env', { name: 'HOME' })).toContain('-32602');
    expect((await must('list')).stdout).toContain(name);
    expect(JSON.parse((await must('export', name)).stdout).server).toEqual({ kind: 'remote', url: remote });
    await must('stop', name);
    expect((await berth('status', name)).stdout).toContain('stopped');
    const audit = (await must('logs', name, '--proxy')).stdout;
    expect(audit).toContain('"type":"mcp_tool_call"');
    expect(audit).toContain('"outcome":"denied"');
  });

  it(`${proves('K-8.1-18')} --env-file reaches our command although Node has a flag of that name`, async () => {
    expect(readFileSync(findCommand(), 'utf8').split('\n')[0]).toBe('#!/usr/bin/env -S node --');
    const file = join(makeDirectory(), 'one.env');
    writeFileSync(file, 'GREETING=hello\n');
    const { env } = makeWorkloadSandbox(NO_ENGINE);
    const ran = await run(
      findCommand(),
      ['run', '--dry-run', '--env-file', file, 'registry.example/image:1'],
      { env },
    );
    expect(JSON.parse(ran.stdout).env).toEqual({ GREETING: 'hello' });
  });

  it('gives a copy under another name secrets of its own', async () => {
    const remote = await startMcpFixture();
    const { must } = makeWorkloadSandbox(NO_ENGINE);
    const [first, copy] = [makeWorkloadName('first'), makeWorkloadName('copy')];
    const file = join(makeDirectory(), 'exported.json');
    await must('run', '--name', first, '--remote-auth-bearer-token', 'the-token', remote);
    await must('export', first, file);
    await must('run', '--from-config', file, '--name', copy);
    await must('rm', first);
    await must('restart', copy);
    const { url } = JSON.parse((await must('status', copy, '--format', 'json')).stdout);
    expect(await callTool(url, 'echo', { text: 'still here' })).toContain('still here');
  });
});
