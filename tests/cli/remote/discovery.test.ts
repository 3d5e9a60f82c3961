import { describe, expect, it } from 'vitest';
import { chooseDiscoveryFetch } from '../../../cli/remote/choose-discovery-fetch.ts';
import { findAuthorizationServer } from '../../../cli/remote/find-authorization-server.ts';
import { findResourceMetadata } from '../../../cli/remote/find-resource-metadata.ts';
import { readChallenge } from '../../../cli/remote/read-challenge.ts';
import { proves } from '../../requirements/proves.ts';
import { type Answer, serve } from './serve.ts';

/** Documents by path, and the paths that were asked for. */
async function serveDocuments(documents: (origin: string) => Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const origin = await serve(({ url }) => {
    asked.push(url.pathname);
    return documents(url.origin)[url.pathname] ?? { status: 404 };
  });
  return { origin, asked };
}

const resource = (origin: string, path: string, servers = ['https://as.example']): Answer => ({
  body: { resource: `${origin}${path}`, authorization_servers: servers },
});

describe('metadata of a remote server', () => {
  const NAME = '/.well-known/oauth-protected-resource';

  it(`${proves('K-6-01')} is looked for where the challenge says, then with the path inserted, then at the root`, async () => {
    const { origin, asked } = await serveDocuments((at) => ({
      '/told': { status: 404 },
      [NAME]: resource(at, '/'),
    }));
    const challenge = readChallenge(`Bearer realm="x", resource_metadata="${origin}/told"`);
    const url = new URL(`${origin}/a/mcp?tenant=1`);
    const found = await findResourceMetadata(fetch, url, challenge);
    expect(found?.authorization_servers).toEqual(['https://as.example']);
    expect(asked).toEqual(['/told', `${NAME}/a/mcp`, NAME]);
  });

  it(`${proves('K-6-01')} is taken from the first place that has it`, async () => {
    const { origin, asked } = await serveDocuments((at) => ({
      '/told': resource(at, '/mcp', ['https://first.example']),
      [`${NAME}/mcp`]: resource(at, '/mcp'),
    }));
    const challenge = readChallenge(`Bearer resource_metadata="${origin}/told"`);
    const found = await findResourceMetadata(fetch, new URL(`${origin}/mcp`), challenge);
    expect(found?.authorization_servers).toEqual(['https://first.example']);
    expect(asked).toEqual(['/told']);
  });

  it.each([
    ['another origin', 'https://elsewhere.example/mcp'],
    ['another path', 'self/other'],
    ['a path that only begins alike', 'self/mc'],
  ])('is refused when it is for %s', async (_, told) => {
    const { origin } = await serveDocuments((at) => ({
      [`${NAME}/mcp`]: { body: { resource: told.replace('self', at), authorization_servers: [] } },
    }));
    await expect(findResourceMetadata(fetch, new URL(`${origin}/mcp`), undefined)).rejects.toMatchObject({
      code: 'remote_auth_discovery',
    });
  });

  it('is none where no place has it', async () => {
    const { origin } = await serveDocuments(() => ({}));
    expect(await findResourceMetadata(fetch, new URL(`${origin}/mcp`), undefined)).toBeUndefined();
  });
});

describe('metadata of an authorization server', () => {
  const describeServer = (issuer: string, more: object = {}): Answer => ({
    body: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      ...more,
    },
  });

  it(`${proves('K-6-02')} is found by RFC 8414, then by OpenID Connect with the path inserted and appended`, async () => {
    const last = '/tenant/.well-known/openid-configuration';
    const { origin, asked } = await serveDocuments((at) => ({ [last]: describeServer(`${at}/tenant`) }));
    const server = await findAuthorizationServer(fetch, `${origin}/tenant`);
    expect(server).toMatchObject({ issuer: `${origin}/tenant`, isOidc: true });
    expect(asked).toEqual([
      '/.well-known/oauth-authorization-server/tenant',
      '/.well-known/openid-configuration/tenant',
      last,
    ]);
  });

  it('tells OpenID Connect by its members where RFC 8414 has it', async () => {
    const place = '/.well-known/oauth-authorization-server';
    const plain = await serveDocuments((at) => ({ [place]: describeServer(at) }));
    expect((await findAuthorizationServer(fetch, plain.origin)).isOidc).toBe(false);
    const oidc = await serveDocuments((at) => ({
      [place]: describeServer(at, { id_token_signing_alg_values_supported: ['ES256'] }),
    }));
    expect((await findAuthorizationServer(fetch, oidc.origin)).isOidc).toBe(true);
  });

  it.each([
    '/',
    '/other',
    '?x=1',
  ])(`${proves('K-6-02')} is refused when its issuer differs by %s`, async (end) => {
    const { origin } = await serveDocuments((at) => ({
      '/.well-known/oauth-authorization-server': describeServer(`${at}${end}`),
    }));
    await expect(findAuthorizationServer(fetch, origin)).rejects.toMatchObject({
      code: 'remote_auth_issuer_mismatch',
    });
  });

  it.each([
    ['no endpoints', (at: string): Answer => ({ body: { issuer: at } })],
    ['no JSON', (): Answer => ({ body: '<html>' })],
    ['an error', (): Answer => ({ status: 500 })],
    ['nothing', (): Answer => ({ status: 404 })],
  ])('is an error when there is %s', async (_, answer) => {
    const { origin } = await serveDocuments((at) => ({
      '/.well-known/oauth-authorization-server': answer(at),
    }));
    await expect(findAuthorizationServer(fetch, origin)).rejects.toMatchObject({
      code: 'remote_auth_discovery',
    });
  });
});

describe('what a remote server sends us to', () => {
  const publicResource = new URL('https://93.184.215.14/mcp');

  it.each([
    'https://127.0.0.1:8443/x',
    'http://127.0.0.1:8443/x',
    'http://localhost:8443/x',
    'http://[::1]:8443/x',
    'https://10.0.0.1/x',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://100.64.0.1/x',
  ])(`${proves('K-6-13')} is never %s when it is public itself`, async (target) => {
    const guarded = await chooseDiscoveryFetch({ resource: publicResource, isChosen: false, ca: undefined });
    const challenge = readChallenge(`Bearer resource_metadata="${target}"`);
    await expect(findResourceMetadata(guarded, publicResource, challenge)).rejects.toMatchObject({
      code: 'net_private_address',
    });
  });

  it(`${proves('K-6-13')} is never reached over plain http beyond loopback`, async () => {
    const guarded = await chooseDiscoveryFetch({ resource: publicResource, isChosen: false, ca: undefined });
    await expect(findAuthorizationServer(guarded, 'http://93.184.215.14')).rejects.toMatchObject({
      code: 'remote_auth_discovery',
    });
  });

  it(`${proves('K-6-13')} is not what it redirects to beyond its origin`, async () => {
    const inner = await serveDocuments(() => ({}));
    const place = '/.well-known/oauth-protected-resource';
    const { origin } = await serveDocuments((at) => ({
      [`${place}/mcp`]: { status: 302, headers: { location: `${inner.origin}/secret` } },
      [`${place}/near`]: { status: 302, headers: { location: '/moved' } },
      '/moved': resource(at, '/near'),
      [`${place}/round`]: { status: 302, headers: { location: `${place}/round` } },
    }));
    const guarded = await chooseDiscoveryFetch({ resource: new URL(origin), isChosen: true, ca: undefined });
    const find = (path: string) => findResourceMetadata(guarded, new URL(`${origin}${path}`), undefined);
    await expect(find('/mcp')).rejects.toMatchObject({ code: 'remote_auth_redirect' });
    await expect(find('/round')).rejects.toMatchObject({ code: 'remote_auth_redirect' });
    expect((await find('/near'))?.resource).toBe(`${origin}/near`);
    expect(inner.asked).toEqual([]);
  });

  it(`${proves('K-8.4-01')} may be on loopback for a remote on loopback, and where the user chose it`, async () => {
    const { origin } = await serveDocuments(() => ({ '/': { body: 'here' } }));
    const beside = new URL('http://localhost:9/mcp');
    const near = await chooseDiscoveryFetch({ resource: beside, isChosen: false, ca: undefined });
    expect(await (await near(origin)).text()).toBe('here');
    const chosen = await chooseDiscoveryFetch({ resource: publicResource, isChosen: true, ca: undefined });
    expect(await (await chosen(origin)).text()).toBe('here');
  });
});

describe('a challenge', () => {
  it.each([
    ['Bearer', {}],
    ['Basic realm="x", Bearer scope="a b"', { scope: 'a b' }],
    [
      'bearer error=invalid_token, resource_metadata="https://x/y"',
      { error: 'invalid_token', resourceMetadata: 'https://x/y' },
    ],
    ['Bearer realm="a \\"quoted\\", scope=wrong", scope="right"', { scope: 'right' }],
  ])('of %s is read', (header, expected) => {
    expect(readChallenge(header)).toMatchObject(expected);
  });

  it.each([null, 'Basic realm="x"', 'DPoP algs="ES256"'])('is none in %s', (header) => {
    expect(readChallenge(header)).toBeUndefined();
  });
});
