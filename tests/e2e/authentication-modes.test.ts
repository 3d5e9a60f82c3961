import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { startIdp } from '../server/auth/loopback-idp.ts';
import { LOOPBACK_CERT, LOOPBACK_KEY } from '../server/auth/loopback-tls.ts';
import { inlineSource } from '../support/catalogs.ts';
import { runBerth } from '../support/run-command.ts';
import { type Issuer, startIssuer } from '../support/start-issuer.ts';
import { type Service, type StartOptions, startService } from '../support/start-service.ts';
import { makeDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';

const WARNING = 'Authorization not configured, per-entry claims filtering disabled (auth-only mode)';
const SERVERS = '/registry/tools/v0.1/servers';

async function serve(auth: object | undefined, options: StartOptions = {}): Promise<Service> {
  const service = await startService(
    {
      sources: [
        inlineSource('labeled', ['com.acme/labeled'], { claims: { org: 'acme' } }),
        inlineSource('bare', ['com.acme/bare']),
        { name: 'managed', managed: {} },
      ],
      registries: [{ name: 'tools', sources: ['labeled', 'bare'], claims: { org: 'acme' } }],
      ...(auth ? { auth } : {}),
    },
    options,
  );
  onTestFinished(() => service.stop());
  return service;
}

async function issue(callers: Record<string, object>): Promise<Issuer> {
  const issuer = await startIssuer({ callers: { ...callers } as Record<string, Record<string, unknown>> });
  onTestFinished(() => issuer.close());
  return issuer;
}

describe('auth-only mode', () => {
  it(`${proves('S-5.13-02', 'S-5.13-03', 'S-5.3-08')} wants a token, filters nothing, and says so at start`, async () => {
    const issuer = await issue({ stranger: { org: 'globex' } });
    const service = await serve({
      oauth: { resourceUrl: 'http://registry.example.test', providers: [issuer.provider()] },
    });
    const warned = service
      .log()
      .split('\n')
      .filter((line) => line.includes('"level":"warn"'));
    expect(warned.map((line) => JSON.parse(line).msg)).toEqual([WARNING]);
    expect((await service.ask(SERVERS)).status).toBe(401);
    expect((await service.ask(SERVERS, { token: 'made-up' })).status).toBe(401);
    const token = await issuer.issue('stranger');
    expect((await service.ask(SERVERS, { token })).json.metadata.count).toBe(2);
    expect((await service.ask('/v1/me', { token })).json.roles).toEqual([
      'superAdmin',
      'manageSources',
      'manageRegistries',
      'manageEntries',
    ]);
    expect((await service.ask('/v1/sources', { token })).json.sources).toHaveLength(3);
  });
});

describe('anonymous mode', () => {
  it(`${proves('S-1-11', 'S-5.1-04', 'S-5.5-04', 'S-4-24', 'S-7-08', 'C-6-07')} answers everything without a token, and /v1/me with a challenge`, async () => {
    const service = await serve({ mode: 'anonymous', authz: { roles: {} } });
    for (const path of [
      SERVERS,
      '/registry',
      '/v1/sources',
      '/v1/registries',
      '/v1/sources/bare/entries',
      '/openapi.json',
    ]) {
      expect((await service.ask(path)).status, path).toBe(200);
    }
    expect((await service.ask(SERVERS)).json.metadata.count).toBe(2);
    expect((await service.ask(SERVERS, { token: 'anything' })).status).toBe(200);
    const me = await service.ask('/v1/me');
    expect(me.status).toBe(401);
    expect(me.headers.get('www-authenticate')).toMatch(/^Bearer realm="/);
    expect(service.log()).not.toContain(WARNING);
  });

  it('is what --auth-mode asks for, whatever the configuration says, also after an edit', async () => {
    const issuer = await issue({});
    const auth = { oauth: { resourceUrl: 'http://registry.example.test', providers: [issuer.provider()] } };
    const service = await serve(auth, { args: ['--auth-mode', 'anonymous'] });
    expect((await service.ask(SERVERS)).status).toBe(200);
    service.configure({
      sources: [inlineSource('labeled', ['com.acme/labeled', 'com.acme/more'])],
      registries: [{ name: 'tools', sources: ['labeled'] }],
      auth,
    });
    await waitUntil(async () => (await service.ask(SERVERS)).text.includes('com.acme/more'), 'the edit');
  });
});

describe('a start without the means to authenticate', () => {
  it.each([
    ['no auth block', undefined, 'auth.oauth.providers'],
    ['no providers', { mode: 'oauth' }, 'providers'],
    [
      'no resourceUrl',
      { oauth: { providers: [{ name: 'a', issuerUrl: 'https://a.test', audience: 'b' }] } },
      'resourceUrl',
    ],
    [
      'a provider without name',
      {
        oauth: { resourceUrl: 'https://r.test', providers: [{ issuerUrl: 'https://a.test', audience: 'b' }] },
      },
      'name',
    ],
    [
      'a provider without issuer',
      { oauth: { resourceUrl: 'https://r.test', providers: [{ name: 'a', audience: 'b' }] } },
      'issuerUrl',
    ],
    [
      'a provider without audience',
      { oauth: { resourceUrl: 'https://r.test', providers: [{ name: 'a', issuerUrl: 'https://a.test' }] } },
      'audience',
    ],
  ])(`${proves('S-5.3-03', 'S-5.4-01', 'S-5.4-02', 'S-5.4-03', 'C-12.17-03')} is refused with exit 1, naming the key: %s`, async (_, auth, key) => {
    const dir = makeDirectory();
    const config = {
      sources: [{ name: 's', managed: {} }],
      registries: [{ name: 'r', sources: ['s'] }],
      auth,
    };
    writeFileSync(join(dir, 'registry.config.yaml'), JSON.stringify(config));
    const { code, stderr } = await runBerth(
      ['serve', '--address', '127.0.0.1:0', '--internal-address', '127.0.0.1:0'],
      { cwd: dir },
    );
    expect(code).toBe(1);
    expect(stderr).toContain(key);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('an issuer that is down at start', () => {
  it('costs its tokens a 401 that says so, and they are accepted once it is back', async () => {
    const first = await startIssuer({ callers: { reader: { org: 'acme' } } });
    const { port } = first;
    const early = await first.issue('reader');
    await first.close();
    const service = await serve({
      oauth: { resourceUrl: 'http://registry.example.test', providers: [first.provider()] },
      authz: { roles: {} },
    });
    const refused = await service.ask(SERVERS, { token: early });
    expect(refused.status).toBe(401);
    expect(refused.json.detail).toContain('identity provider cannot be reached');
    const again = await startIssuer({ callers: { reader: { org: 'acme' } }, port });
    onTestFinished(() => again.close());
    const token = await again.issue('reader');
    await waitUntil(async () => (await service.ask(SERVERS, { token })).status === 200, 'acceptance', 35_000);
    expect(service.log()).toContain('"provider":"oidc"');
  }, 45_000);
});

describe('a provider of projected service-account tokens', () => {
  it(`${proves('S-5.4-13', 'S-5.4-01')} reads its keys over TLS of its own CA with the token of the file`, async () => {
    const idp = await startIdp();
    onTestFinished(() => idp.close());
    const asked: (string | undefined)[] = [];
    const cluster = createServer({ key: LOOPBACK_KEY, cert: LOOPBACK_CERT }, (request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`);
      response.end(JSON.stringify({ keys: idp.keys.map(({ jwk }) => jwk) }));
    });
    await new Promise<void>((done) => cluster.listen(0, '127.0.0.1', done));
    onTestFinished(() => void cluster.close());
    const { port } = cluster.address() as AddressInfo;
    const issuerUrl = 'https://kubernetes.default.svc.cluster.local';
    const provider = {
      name: 'cluster',
      issuerUrl,
      jwksUrl: `https://127.0.0.1:${port}/openid/v1/jwks`,
      audience: 'registry',
      caCertPath: 'ca.crt',
      authTokenFile: 'token',
      allowPrivateIP: true,
    };
    const service = await serve(
      { oauth: { resourceUrl: 'http://registry.example.test', providers: [provider] }, authz: { roles: {} } },
      {
        prepare: (dir) => {
          writeFileSync(join(dir, 'ca.crt'), LOOPBACK_CERT);
          writeFileSync(join(dir, 'token'), 'token-of-the-pod\n');
        },
      },
    );
    const sub = 'system:serviceaccount:ci:publisher';
    const token = idp.mint({ iss: issuerUrl, aud: ['registry'], sub });
    expect((await service.ask('/v1/me', { token })).json.subject).toBe(sub);
    expect(asked).toEqual(['/openid/v1/jwks Bearer token-of-the-pod']);
    expect((await service.ask('/v1/me', { token: idp.mint({ iss: issuerUrl, aud: 'other' }) })).status).toBe(
      401,
    );
  });
});
