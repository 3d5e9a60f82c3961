import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createAuthenticationContribution } from '../../../../cli/proxy/authentication/create-authentication-contribution.ts';
import type { Contribution, Exchange } from '../../../../cli/proxy/exchange.ts';
import type { PlanInput } from '../../../../cli/run/plan.ts';
import { proves } from '../../../requirements/proves.ts';
import { makeDirectory } from '../../../support/temporary-directory.ts';
import { speakMcp, startServer, type TestServer } from '../mcp-server.ts';
import { secretsOf } from '../secrets-of.ts';
import { makePlan, startTestProxy, type TestProxy } from '../start-test-proxy.ts';
import { type KeyServer, startKeys } from './start-keys.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Oidc = NonNullable<PlanInput['oidc']>;
interface Started {
  readonly proxy: TestProxy;
  readonly server: TestServer;
  readonly keys: KeyServer;
  readonly passed: Exchange[];
}

const local = { insecureAllowHttp: true, allowPrivateIp: true };

async function start(oidc: (keys: KeyServer) => Oidc, plan: Partial<PlanInput> = {}): Promise<Started> {
  const keys = await startKeys();
  closing.push(() => keys.close());
  const server = await startServer(speakMcp());
  closing.push(() => server.close());
  const passed: Exchange[] = [];
  const watching: Contribution = {
    stages: {
      authorization: (exchange, next) => {
        passed.push(exchange);
        return next();
      },
    },
    needsMcp: false,
    close: async () => undefined,
  };
  const secrets = secretsOf({ client: 'introspection-secret' });
  const proxy = await startTestProxy({
    target: `${server.origin}/mcp`,
    plan: { ...plan, oidc: oidc(keys) },
    contributions: async (made) => [
      watching,
      await createAuthenticationContribution(made, { secrets, log: () => undefined }),
    ],
  });
  closing.push(() => proxy.close());
  return { proxy, server, keys, passed };
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` }, body: ping });

describe('tokens', () => {
  it(`${proves('R-5.1-01', 'R-5.1-02', 'K-5-28')} must be valid, of the issuer and for the audience`, async () => {
    const { proxy, server, keys, passed } = await start(({ url }) => ({
      ...local,
      issuer: url,
      audience: 'tested',
    }));
    const token = await keys.token({ groups: ['dev'], level: { a: 1 } });
    expect((await proxy.send(bearer(token))).status).toBe(200);
    expect(passed[0]).toMatchObject({
      bearer: token,
      claims: { sub: 'alice', groups: ['dev'], level: { a: 1 } },
      identity: { subject: 'alice' },
    });
    const bad = [
      await keys.token({ aud: 'other' }),
      await keys.token({ iss: 'https://other.example' }),
      await keys.token({ exp: 1000 }),
      `${token.slice(0, -4)}AAAA`,
      'opaque',
    ];
    for (const one of bad) {
      const reply = await proxy.send(bearer(one));
      expect(reply.status).toBe(401);
      expect(reply.headers['www-authenticate']).toContain('error="invalid_token"');
    }
    expect(server.seen).toHaveLength(1);
  });

  it(`${proves('K-5-28', 'K-8.6-01')} that are missing are asked for as the registry does, with the way to the metadata`, async () => {
    const { proxy, server } = await start(({ url }) => ({ ...local, issuer: url, audience: 'tested' }));
    const reply = await proxy.send({ body: ping });
    expect(reply.status).toBe(401);
    expect(reply.json).toMatchObject({ code: 'unauthenticated', error: 'a bearer token is required' });
    const link = /resource_metadata="([^"]+)"/.exec(reply.headers['www-authenticate'] ?? '')?.[1] ?? '';
    expect(link).toBe(`http://127.0.0.1:${proxy.port}/.well-known/oauth-protected-resource/mcp`);
    expect((await proxy.send({ path: new URL(link).pathname })).json.resource).toBe(proxy.url);
    expect((await proxy.send()).status).toBe(401);
    expect((await proxy.send({ method: 'DELETE', session: 'x' })).status).toBe(401);
    expect((await proxy.send({ path: '/health' })).status).toBe(200);
    expect(server.seen).toHaveLength(0);
  });

  it(`${proves('R-5.1-05')} are checked with the keys of --oidc-jwks-url, without discovery`, async () => {
    for (const withIssuer of [true, false]) {
      const { proxy, keys } = await start(({ url }) => ({
        ...local,
        jwksUrl: `${url}/jwks`,
        audience: 'tested',
        ...(withIssuer ? { issuer: url } : {}),
      }));
      expect((await proxy.send(bearer(await keys.token()))).status).toBe(200);
      expect((await proxy.send(bearer(await keys.token({ aud: 'other' })))).status).toBe(401);
      expect(keys.asked.map(({ path }) => path)).toEqual(['/jwks']);
    }
  });

  it(`${proves('R-5.1-03', 'R-5.1-04', 'R-5.1-06')} that are opaque are introspected, by the client with its secret`, async () => {
    const { proxy, keys, passed } = await start(({ url }) => ({
      ...local,
      introspectionUrl: `${url}/introspect`,
      clientId: 'proxy',
      clientSecret: 'client',
      audience: 'tested',
    }));
    keys.opaque.set('good', { active: true, sub: 'bob', aud: 'tested', scope: 'read' });
    keys.opaque.set('foreign', { active: true, sub: 'bob', aud: 'other' });
    expect((await proxy.send(bearer('good'))).status).toBe(200);
    expect(passed[0]).toMatchObject({ identity: { subject: 'bob' }, claims: { scope: 'read' } });
    expect((await proxy.send(bearer('foreign'))).status).toBe(401);
    expect((await proxy.send(bearer('unknown'))).status).toBe(401);
    expect(keys.asked[0]?.authorization).toBe(
      `Basic ${Buffer.from('proxy:introspection-secret').toString('base64')}`,
    );
    expect(new URLSearchParams(keys.asked[0]?.body).get('token')).toBe('good');
  });

  it(`${proves('R-5.1-08', 'K-8.4-03')} of an issuer without https need --oidc-insecure-allow-http`, async () => {
    const oidc = { issuer: 'http://127.0.0.1:1', audience: 'a', allowPrivateIp: true };
    const deps = { secrets: secretsOf({}), log: () => undefined };
    const create = (more: Partial<Oidc>) =>
      createAuthenticationContribution(makePlan({ oidc: { ...oidc, ...more } }), deps);
    await expect(create({})).rejects.toMatchObject({ code: 'oidc_insecure' });
    expect(await create({ insecureAllowHttp: true })).toBeDefined();
    await expect(create({ insecureAllowHttp: true, clientSecret: 'gone' })).rejects.toMatchObject({
      code: 'secret_missing',
    });
    const nothing = createAuthenticationContribution(makePlan({ oidc: { audience: 'a' } }), deps);
    await expect(nothing).rejects.toMatchObject({ code: 'oidc_incomplete' });
    expect(await createAuthenticationContribution(makePlan(), deps)).toBeUndefined();
  });

  it(`${proves('R-5.1-09')} of an issuer on a private address need --jwks-allow-private-ip`, async () => {
    const { proxy, keys } = await start(({ url }) => ({
      insecureAllowHttp: true,
      issuer: url,
      audience: 'tested',
    }));
    expect((await proxy.send(bearer(await keys.token()))).status).toBe(401);
    expect(keys.asked).toEqual([]);
  });

  it(`${proves('R-5.1-10')} are checked with keys that are asked for with the token of --jwks-auth-token-file`, async () => {
    const authTokenFile = join(makeDirectory(), 'token');
    writeFileSync(authTokenFile, 'key-reader\n');
    const { proxy, keys } = await start(({ url }) => ({
      ...local,
      issuer: url,
      audience: 'tested',
      authTokenFile,
    }));
    expect((await proxy.send(bearer(await keys.token()))).status).toBe(200);
    expect(keys.asked.map(({ authorization }) => authorization)).toEqual([
      'Bearer key-reader',
      'Bearer key-reader',
    ]);
  });
});

describe('the metadata of the resource', () => {
  it(`${proves('K-5-29', 'R-5.1-07', 'K-8.6-01', 'K-8.6-02')} is at the root and with our path inserted, for every page`, async () => {
    const { proxy } = await start(({ url }) => ({ ...local, issuer: url, audience: 'tested' }));
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
    ]) {
      const reply = await proxy.send({ path, headers: { origin: 'http://page.example' } });
      expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([200, '*']);
      expect(reply.json).toEqual({
        resource: proxy.url,
        authorization_servers: [proxy.plan.oidc?.issuer],
        scopes_supported: ['openid'],
        bearer_methods_supported: ['header'],
      });
    }
    expect(
      (await proxy.send({ method: 'OPTIONS', path: '/.well-known/oauth-protected-resource' })).status,
    ).toBe(204);
    expect(
      (await proxy.send({ path: '/.well-known/oauth-protected-resource', headers: { host: 'evil.example' } }))
        .status,
    ).toBe(403);
    const { proxy: open } = await start(() => ({
      ...local,
      jwksUrl: 'http://127.0.0.1:1/jwks',
      scopes: ['a', 'b'],
    }));
    const { scopes_supported, authorization_servers } = (
      await open.send({ path: '/.well-known/oauth-protected-resource' })
    ).json;
    expect([scopes_supported, authorization_servers]).toEqual([['a', 'b'], undefined]);
  });

  it(`${proves('R-5.1-11')} names --resource-url, and so does the challenge`, async () => {
    const { proxy } = await start(({ url }) => ({
      ...local,
      issuer: url,
      audience: 'tested',
      resourceUrl: 'https://mcp.example/deep/mcp',
    }));
    expect((await proxy.send({ path: '/.well-known/oauth-protected-resource/mcp' })).json.resource).toBe(
      'https://mcp.example/deep/mcp',
    );
    expect((await proxy.send({ body: ping })).headers['www-authenticate']).toContain(
      'resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/deep/mcp"',
    );
  });

  it(`${proves('R-4.1-52')} follows trusted X-Forwarded-* headers`, async () => {
    const { proxy } = await start(({ url }) => ({ ...local, issuer: url, audience: 'tested' }), {
      proxy: { trustProxyHeaders: true },
    });
    const headers = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'mcp.example',
      'x-forwarded-prefix': '/p',
    };
    expect((await proxy.send({ path: '/.well-known/oauth-protected-resource', headers })).json.resource).toBe(
      'https://mcp.example/p/mcp',
    );
  });

  it('is not there while no tokens are checked', async () => {
    const server = await startServer(speakMcp());
    closing.push(() => server.close());
    const proxy = await startTestProxy({ target: server.origin });
    closing.push(() => proxy.close());
    expect((await proxy.send({ path: '/.well-known/oauth-protected-resource' })).status).toBe(404);
  });
});
