import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { BAD_TOKENS } from '../server/auth/bad-tokens.ts';
import { AUDIENCE, type LoopbackIdp, startIdp } from '../server/auth/loopback-idp.ts';
import { inlineSource } from '../support/catalogs.ts';
import type { Reply } from '../support/http-client.ts';
import { INTROSPECTOR, type Issuer, startIssuer } from '../support/start-issuer.ts';
import { type Service, startService } from '../support/start-service.ts';

const RESOURCE = 'https://registry.example.test';
const CHALLENGE = `resource_metadata="${RESOURCE}/.well-known/oauth-protected-resource"`;
const PATHS = [
  '/registry/tools/v0.1/servers',
  '/registry',
  '/v1/me',
  '/v1/sources',
  '/v1/entries',
  '/no/such/path',
];
let idp: LoopbackIdp;
let issuer: Issuer;
let service: Service;

beforeAll(async () => {
  idp = await startIdp('/realms/main');
  issuer = await startIssuer({
    callers: { reader: { org: 'acme', groups: ['publishers'] }, stranger: { org: 'globex' } },
  });
  const config = {
    sources: [inlineSource('tools', ['com.acme/one'], { claims: { org: 'acme' } })],
    registries: [{ name: 'tools', sources: ['tools'], claims: { org: 'acme' } }],
    auth: {
      oauth: {
        resourceUrl: RESOURCE,
        realm: 'tools-realm',
        publicPaths: ['/public/tools', '/registry/tools/v0.1/servers/com.acme%2Fopen'],
        providers: [
          idp.provider({ name: 'strict' }),
          issuer.provider({
            introspectionUrl: issuer.introspectionUrl,
            clientId: INTROSPECTOR.id,
            clientSecretFile: 'secret',
          }),
        ],
      },
      authz: { roles: { manageEntries: [{ groups: 'publishers' }] } },
    },
  };
  const prepare = (dir: string) => writeFileSync(join(dir, 'secret'), INTROSPECTOR.secret);
  service = await startService(config, { prepare });
});
afterAll(async () => {
  await service?.stop();
  await issuer?.close();
  await idp?.close();
});

function expectChallenge(reply: Reply, error: string): void {
  expect(reply.status).toBe(401);
  const challenge = reply.headers.get('www-authenticate') ?? '';
  expect(challenge).toMatch(/^Bearer realm="tools-realm", /);
  expect(challenge).toContain(`error="${error}"`);
  expect(challenge).toMatch(/error_description="[^"]+"/);
  expect(challenge).toContain(CHALLENGE);
  expect(reply.headers.get('content-type')).toContain('application/problem+json');
  expect(reply.json.code).toBe('unauthenticated');
}

describe('a request without a token', () => {
  it.each(
    PATHS,
  )(`${proves('S-4-01', 'S-5.6-02', 'S-7-09')} is refused with a challenge that links to the discovery endpoint: %s`, async (path) =>
    expectChallenge(await service.ask(path), 'invalid_request'));

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(`${proves('S-4-01')} is refused for %s too`, async (method) => {
    for (const path of PATHS) expectChallenge(await service.ask(path, { method }), 'invalid_request');
  });
});

describe('a header of the wrong format', () => {
  it.each([
    ['another scheme', (token: string) => `Basic ${token}`],
    ['no blank', (token: string) => `Bearer${token}`],
    ['two blanks', (token: string) => `Bearer  ${token}`],
    ['a blank behind', (token: string) => `Bearer ${token} x`],
    ['quotes', (token: string) => `Bearer "${token}"`],
    ['only the token', (token: string) => token],
    ['no token', () => 'Bearer'],
    ['two tokens', (token: string) => `Bearer ${token}, Bearer ${token}`],
  ])(`${proves('S-7-02', 'S-7-09')} is refused: %s`, async (_, write) => {
    const headers = { Authorization: write(idp.mint({ org: 'acme' })) };
    for (const path of PATHS) expectChallenge(await service.ask(path, { headers }), 'invalid_request');
  });

  it('while a scheme in lower case is accepted', async () => {
    const headers = { Authorization: `bearer ${idp.mint({ org: 'acme' })}` };
    expect((await service.ask('/registry/tools/v0.1/servers', { headers })).status).toBe(200);
  });
});

describe('a JWT', () => {
  it(`${proves('S-4-01', 'S-1-10')} that is valid is accepted everywhere`, async () => {
    const token = idp.mint({ org: 'acme' });
    expect((await service.ask('/registry/tools/v0.1/servers', { token })).json.metadata.count).toBe(1);
    expect((await service.ask('/v1/me', { token })).json).toEqual({ subject: 'someone', roles: [] });
  });

  it.each(
    BAD_TOKENS,
  )(`${proves('S-7-03', 'S-7-04', 'S-7-05', 'S-7-06', 'S-7-09')} that must be refused is 401 on every path: %s`, async (_name, _reason, mint) => {
    const token = mint(idp);
    for (const path of PATHS) expectChallenge(await service.ask(path, { token }), 'invalid_token');
  });

  it(`${proves('S-7-04')} for the audience of another provider is refused`, async () => {
    const token = idp.mint({ org: 'acme', aud: issuer.provider().audience });
    expect(AUDIENCE).not.toBe(issuer.provider().audience);
    expectChallenge(await service.ask('/v1/me', { token }), 'invalid_token');
  });

  it('of the second provider is accepted like one of the first', async () => {
    const token = await issuer.issue('reader');
    expect((await service.ask('/v1/me', { token })).json).toEqual({
      subject: 'reader',
      roles: ['manageEntries'],
    });
  });
});

describe('an opaque token', () => {
  it('is introspected, and the members of the answer are its claims', async () => {
    const token = await issuer.issue('reader', 'opaque');
    expect(token).not.toContain('.');
    expect((await service.ask('/v1/me', { token })).json).toEqual({
      subject: 'reader',
      roles: ['manageEntries'],
    });
    expect((await service.ask('/registry/tools/v0.1/servers', { token })).json.metadata.count).toBe(1);
    const stranger = await issuer.issue('stranger', 'opaque');
    expect((await service.ask('/registry/tools/v0.1/servers', { token: stranger })).status).toBe(403);
  });

  it(`${proves('S-7-07', 'S-7-09')} that nobody issued is refused`, async () => {
    for (const path of PATHS) expectChallenge(await service.ask(path, { token: 'made-up' }), 'invalid_token');
  });
});

describe('public paths', () => {
  it(`${proves('S-4-25', 'S-5.6-01')} serve the metadata document without a token`, async () => {
    const { status, json } = await service.ask('/.well-known/oauth-protected-resource');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      resource: RESOURCE,
      authorization_servers: [idp.issuer, issuer.url],
      bearer_methods_supported: ['header'],
      scopes_supported: ['mcp-registry:read', 'mcp-registry:write'],
    });
  });

  it(`${proves('C-7-23')} serve it at the path-inserted location of a registry`, async () => {
    const { status, json } = await service.ask('/.well-known/oauth-protected-resource/registry/tools');
    expect(status).toBe(200);
    expect(json.resource).toBe(`${RESOURCE}/registry/tools`);
    expect(json.authorization_servers).toEqual([idp.issuer, issuer.url]);
  });

  it.each([
    '/openapi.json',
    '/.well-known/oauth-protected-resource',
    '/.well-known/anything/else',
  ])(`${proves('S-5.5-02')} need no token: %s`, async (path) =>
    expect((await service.ask(path)).status).not.toBe(401));

  it(`${proves('S-5.5-03', 'S-5.3-06')} are those of the configuration, and not their neighbours`, async () => {
    for (const path of ['/public/tools', '/public/tools/x'])
      expect((await service.ask(path)).status).toBe(404);
    for (const path of [
      '/public',
      '/public/tools-2',
      '/public/Tools',
      '/public/tools/../../v1/me',
      '/public%2Ftools',
    ]) {
      expect((await service.ask(path)).status, path).toBe(401);
    }
  });
});
