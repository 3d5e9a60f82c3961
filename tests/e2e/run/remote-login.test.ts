import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from '../../cli/remote/authorization-server.ts';
import { startProtectedRemote } from '../../cli/remote/protected-remote.ts';
import { proves } from '../../requirements/proves.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { makeWorkloadName, makeWorkloadSandbox } from '../../support/workload-sandbox.ts';
import { runAndLogIn } from './run-and-log-in.ts';

const LIMIT_MS = 120_000;
/** No engine: a remote run needs none. */
const NO_ENGINE = { DOCKER_HOST: 'unix:///nowhere/engine.sock' };
const FLAGS = ['--remote-auth', '--remote-auth-skip-browser', '--remote-auth-callback-port', '18888'];

async function start(options: AuthorizationServerOptions = {}) {
  const as = await startAuthorizationServer(options);
  const remote = await startProtectedRemote({
    issuer: as.issuer,
    place: '/.well-known/oauth-protected-resource/mcp',
    accepts: (token) => as.valid.has(token),
  });
  return { as, remote, sandbox: makeWorkloadSandbox(NO_ENGINE), name: makeWorkloadName('login') };
}

async function call(url: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    }),
  });
}

describe('a remote workload that logs in', { timeout: LIMIT_MS }, () => {
  it(`${proves('R-5.2-01', 'R-5.2-14', 'K-8.6-03', 'K-8.6-05', 'K-6-12', 'K-8.5-19')} prints its link, renews, restarts without a person, and asks again when the login is lost`, async () => {
    const { as, remote, sandbox, name } = await start();
    const { env, must } = sandbox;
    const run = await runAndLogIn(['run', '--format', 'json', '--name', name, ...FLAGS, remote.url], env);
    expect(run).toMatchObject({ code: 0, link: expect.stringContaining('/authorize?') });
    const { url } = JSON.parse(run.stdout);
    expect((await call(url)).status).toBe(200);

    // What the remote refuses is renewed, and the client sees nothing of it.
    as.valid.clear();
    expect((await call(url)).status).toBe(200);
    expect(as.tokens.at(-1)?.grant_type).toBe('refresh_token');

    expect((await must('restart', name)).stderr).not.toContain('log in');
    expect((await call(url)).status).toBe(200);
    expect(as.authorizations).toHaveLength(1);

    as.valid.clear();
    as.refreshes.clear();
    const refused = await call(url);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(refused.headers.get('www-authenticate')).toBeNull();
    const status = async () => JSON.parse((await must('status', name, '--format', 'json')).stdout).status;
    await waitUntil(async () => (await status()) === 'unauthenticated', 'the status');

    const again = await runAndLogIn(['start', name], env);
    expect(again).toMatchObject({ code: 0, link: expect.stringContaining('/authorize?') });
    expect(await status()).toBe('running');
    expect((await call(url)).status).toBe(200);
  });

  it(`${proves('K-6-11')} answers 503 with Retry-After while the authorization server is away`, async () => {
    const { as, remote, sandbox, name } = await start({ expiresIn: 2 });
    const run = await runAndLogIn(
      ['run', '--format', 'json', '--name', name, ...FLAGS, remote.url],
      sandbox.env,
    );
    const { url } = JSON.parse(run.stdout);
    as.gate = async () => ({ status: 503 });
    const away = await waitUntil(async () => {
      const answer = await call(url);
      return answer.status === 200 ? undefined : answer;
    }, 'the end of the token');
    expect(away.status).toBe(503);
    expect(away.headers.get('retry-after')).toMatch(/^\d+$/);
    as.gate = undefined;
    expect((await call(url)).status).toBe(200);
  });

  it(`${proves('K-8.2-03', 'R-5.2-07')} keeps tokens and secrets out of everything but the secrets store`, async () => {
    const { as, remote, sandbox, name } = await start();
    const { env, must, state } = sandbox;
    const file = join(env.HOME ?? '', 'client-secret');
    writeFileSync(file, 'the-secret-of-the-client\n');
    const fixed = ['--remote-auth-client-id', 'fixed', '--remote-auth-client-secret-file', file];
    const run = await runAndLogIn(['run', '--debug', '--name', name, ...FLAGS, ...fixed, remote.url], env);
    expect(run).toMatchObject({ code: 0 });
    expect(as.tokens[0]?.authorization).toBe(
      `Basic ${Buffer.from('fixed:the-secret-of-the-client').toString('base64')}`,
    );
    const { url } = JSON.parse((await must('status', name, '--format', 'json')).stdout);
    as.valid.clear();
    expect((await call(url)).status).toBe(200);
    const { stdout: exported } = await must('export', name);
    const secrets = ['the-secret-of-the-client', ...as.valid, ...as.refreshes];
    const texts = [run.stdout, run.stderr, exported, ...readAll(state)];
    expect(texts.length).toBeGreaterThan(4);
    for (const secret of secrets) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
  });

  it(`${proves('R-5.2-02', 'K-6-02')} fails with exit 1 where the issuer is not who it says`, async () => {
    const { remote, sandbox, name } = await start({ metadata: (at) => ({ issuer: `${at}/other` }) });
    const run = await runAndLogIn(['run', '--name', name, ...FLAGS, remote.url], sandbox.env);
    expect(run).toMatchObject({ code: 1, link: undefined, stderr: expect.stringContaining('issuer') });
    expect(JSON.parse((await sandbox.must('ls', '--format', 'json')).stdout)).toEqual([]);
  });

  it(`${proves('R-5.2-15')} fails with exit 1 and the time when nobody comes`, async () => {
    const { remote, sandbox, name } = await start();
    const run = await sandbox.berth(
      'run',
      '--name',
      name,
      ...FLAGS,
      '--remote-auth-timeout',
      '1s',
      remote.url,
    );
    expect(run).toMatchObject({ code: 1, stderr: expect.stringMatching(/timed out.*1s/) });
  });

  it(`${proves('R-5.2-08', 'R-5.2-09', 'K-8.5-19')} sends a fixed token, and is unauthenticated when that is refused later`, async () => {
    const { as, remote, sandbox } = await start();
    const { must, env, state } = sandbox;
    as.valid.add('fixed-token-value');
    const file = join(env.HOME ?? '', 'token');
    writeFileSync(file, 'fixed-token-value\n');
    const [first, second] = [makeWorkloadName('flag'), makeWorkloadName('file')];
    await must('run', '--name', first, '--remote-auth-bearer-token', 'fixed-token-value', remote.url);
    await must('run', '--name', second, '--remote-auth-bearer-token-file', file, remote.url);
    expect(remote.seen.at(-1)?.headers.authorization).toBe('Bearer fixed-token-value');
    expect(readAll(state).filter((text) => text.includes('fixed-token-value'))).toEqual([]);
    const status = async () => JSON.parse((await must('status', first, '--format', 'json')).stdout);
    const { url } = await status();
    as.valid.clear();
    await call(url);
    await waitUntil(async () => (await status()).status === 'unauthenticated', 'the status');
  });
});

/** The text of every file below a directory. */
function readAll(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'));
}
