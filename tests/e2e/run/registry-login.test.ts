import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../../requirements/proves.ts';
import { makeCatalog } from '../../support/catalogs.ts';
import { runBerth } from '../../support/run-command.ts';
import {
  type AuthorizationProvider,
  startAuthorizationProvider,
} from '../../support/start-authorization-provider.ts';
import { findFreePort } from '../../support/start-mcp-fixture.ts';
import { type Service, startService } from '../../support/start-service.ts';
import { runAndLogIn } from './run-and-log-in.ts';

describe('a registry that shows an entry to those who logged in', () => {
  let provider: AuthorizationProvider;
  let service: Service;
  let env: Record<string, string>;

  beforeAll(async () => {
    provider = await startAuthorizationProvider({ claims: { org: 'acme' } });
    const port = await findFreePort();
    const claims = { org: 'acme' };
    const remotes = [{ type: 'streamable-http', url: 'https://gated.example/mcp' }];
    const catalog = makeCatalog(['com.acme/gated'], { remotes });
    service = await startService(
      {
        sources: [
          { name: 'alpha', file: { data: JSON.parse(catalog) }, syncPolicy: { interval: '1h' }, claims },
        ],
        registries: [{ name: 'all', sources: ['alpha'], claims }],
        auth: {
          mode: 'oauth',
          oauth: { resourceUrl: `http://127.0.0.1:${port}`, providers: [provider.provider] },
        },
      },
      { args: ['--address', `127.0.0.1:${port}`] },
    );
    env = {
      HOME: mkdtempSync(join(tmpdir(), 'berth-login-')),
      BERTH_SECRETS_PASSWORD: 'a password of the tests',
    };
    for (const name of ['CONFIG', 'DATA', 'STATE', 'CACHE']) env[`XDG_${name}_HOME`] = `${env.HOME}/${name}`;
    const set = await runBerth(['registry', 'set', `${service.url}/registry/all`], { env });
    expect(set).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await service?.stop();
    await provider?.close();
    if (env) rmSync(env.HOME ?? '', { recursive: true, force: true });
  });

  it(`${proves('K-1-29', 'K-2-08')} lets run find it after registry login, and no longer after logout`, async () => {
    const info = () => runBerth(['registry', 'info', 'com.acme/gated'], { env });
    const before = await info();
    expect(before).toMatchObject({ code: 1, stderr: expect.stringContaining('berth registry login') });

    const login = await runAndLogIn(['registry', 'login', '--skip-browser', '--callback-port', '18999'], env);
    expect(login).toMatchObject({ code: 0 });
    expect(login.stdout).toContain(provider.url);

    const after = await info();
    expect(after).toMatchObject({ code: 0, stdout: expect.stringContaining('com.acme/gated') });
    const run = await runBerth(['run', '--dry-run', 'com.acme/gated'], { env });
    expect(run.stderr).not.toContain('registry login');
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('com.acme/gated') });

    const logout = await runBerth(['registry', 'logout'], { env });
    expect(logout).toMatchObject({ code: 0 });
    expect(await info()).toMatchObject({ code: 1 });
  }, 90_000);
});
