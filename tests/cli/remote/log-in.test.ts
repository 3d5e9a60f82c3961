import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepareRemoteLogin } from '../../../cli/remote/prepare-remote-login.ts';
import { proves } from '../../requirements/proves.ts';
import {
  type AuthorizationServerOptions,
  browse,
  startAuthorizationServer,
  type TestAuthorizationServer,
} from './authorization-server.ts';
import { type ProtectedRemote, type RemoteOptions, startProtectedRemote } from './protected-remote.ts';
import { memorySecrets, planRemote } from './remote-plan.ts';

const PLACE = '/.well-known/oauth-protected-resource/mcp';

interface Pair {
  readonly as: TestAuthorizationServer;
  readonly remote: ProtectedRemote;
}

async function startPair(
  options: AuthorizationServerOptions = {},
  more: Partial<RemoteOptions> = {},
): Promise<Pair> {
  const as = await startAuthorizationServer(options);
  const remote = await startProtectedRemote({
    issuer: as.issuer,
    accepts: (token) => as.valid.has(token),
    place: PLACE,
    ...more,
  });
  return { as, remote };
}

type Auth = Parameters<typeof planRemote>[1];

/** Logs in as `run` does, with somebody who opens the link at once. */
async function logIn(
  remote: ProtectedRemote,
  auth: Auth = {},
  more: Partial<Parameters<typeof prepareRemoteLogin>[1]> = {},
) {
  const links: [url: string, opens: boolean][] = [];
  const secrets = memorySecrets(new Map([['the-secret', 's3cret-of_a.client']]));
  const plan = planRemote(remote.url, { skipBrowser: true, ...auth });
  const done = prepareRemoteLogin(plan, {
    secrets,
    isTerminal: false,
    clientMetadataUrl: undefined,
    showLink: (url, opens) => {
      links.push([url, opens]);
      void browse(url);
    },
    ...more,
  });
  await done;
  return { links, secrets, plan };
}

describe('logging in at a remote server', () => {
  it(`${proves('R-1-15', 'R-1-16', 'K-6-04', 'K-6-05', 'R-5.2-01', 'R-5.2-05', 'R-5.2-06', 'K-8.4-01')} registers a native client and proves its code by PKCE`, async () => {
    const { as, remote } = await startPair();
    await logIn(remote);
    expect(as.registrations).toHaveLength(1);
    expect(as.registrations[0]).toMatchObject({
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['http://127.0.0.1:18666/callback'],
    });
    expect(as.authorizations[0]).toMatchObject({
      client_id: 'client-1',
      response_type: 'code',
      code_challenge_method: 'S256',
    });
    expect(as.tokens[0]).toMatchObject({ grant_type: 'authorization_code', client_id: 'client-1' });
  });

  it(`${proves('K-6-04')} is the client of the flag before all others, and a metadata document before a registration`, async () => {
    const takes = { metadata: () => ({ client_id_metadata_document_supported: true }) };
    const { as, remote } = await startPair(takes);
    const clientMetadataUrl = 'https://client.example/berth.json';
    await logIn(remote, {}, { clientMetadataUrl });
    await logIn(remote, { clientId: 'fixed' }, { clientMetadataUrl });
    expect(as.authorizations.map((asked) => asked.client_id)).toEqual([clientMetadataUrl, 'fixed']);
    expect(as.registrations).toHaveLength(0);
    const { as: other, remote: otherRemote } = await startPair();
    await logIn(otherRemote, {}, { clientMetadataUrl });
    expect(other.authorizations[0]?.client_id).toBe('client-1');
  });

  it(`${proves('R-5.2-05', 'R-5.2-06')} proves a fixed client by its secret, as the server takes it`, async () => {
    const auth = { clientId: 'fixed', clientSecret: 'the-secret' };
    const { as, remote } = await startPair();
    await logIn(remote, auth);
    expect(as.tokens[0]?.authorization).toBe(
      `Basic ${Buffer.from('fixed:s3cret-of_a.client').toString('base64')}`,
    );
    const post = { metadata: () => ({ token_endpoint_auth_methods_supported: ['client_secret_post'] }) };
    const { as: other, remote: otherRemote } = await startPair(post);
    await logIn(otherRemote, auth);
    expect(other.tokens[0]).toMatchObject({
      client_id: 'fixed',
      client_secret: 's3cret-of_a.client',
      authorization: '',
    });
  });

  it('says what to do where no client can be registered', async () => {
    const { remote } = await startPair({ metadata: () => ({ registration_endpoint: undefined }) });
    await expect(logIn(remote)).rejects.toMatchObject({
      code: 'remote_auth_no_client',
      fix: expect.stringContaining('--remote-auth-client-id'),
    });
  });

  it(`${proves('R-5.2-12', 'K-8.6-04')} asks for a token of the remote URL, or of the resource of the flag`, async () => {
    const { as, remote } = await startPair();
    await logIn(remote);
    await logIn(remote, { resource: 'https://api.example/mcp' });
    expect(as.authorizations.map((asked) => asked.resource)).toEqual([remote.url, 'https://api.example/mcp']);
    expect(as.tokens.map((asked) => asked.resource)).toEqual([remote.url, 'https://api.example/mcp']);
  });

  it(`${proves('R-5.2-10')} asks for the scopes of the flag, the challenge, the resource, or those of OpenID Connect`, async () => {
    const isOidc = { metadata: () => ({ id_token_signing_alg_values_supported: ['RS256'] }) };
    const { as, remote } = await startPair(isOidc);
    await logIn(remote);
    await logIn(remote, { scopes: ['mail', 'files'] });
    expect(as.authorizations.map((asked) => asked.scope)).toEqual(['openid profile email', 'mail files']);
    const { as: second, remote: ofResource } = await startPair(isOidc, { scopes: ['mcp:read'] });
    await logIn(ofResource);
    expect(second.authorizations[0]?.scope).toBe('mcp:read');
    const { as: third, remote: ofChallenge } = await startPair(isOidc, {
      scopes: ['mcp:read'],
      challenge: () => 'Bearer scope="mcp:call mcp:list"',
    });
    await logIn(ofChallenge);
    expect(third.authorizations[0]?.scope).toBe('mcp:call mcp:list');
    const { as: fourth, remote: plain } = await startPair();
    await logIn(plain);
    expect(fourth.authorizations[0]).not.toHaveProperty('scope');
  });

  it(`${proves('R-5.2-11')} names the scope parameter of the authorization URL as told`, async () => {
    const { as, remote } = await startPair();
    await logIn(remote, { scopes: ['a', 'b'], scopeParamName: 'user_scope' });
    expect(as.authorizations[0]).toMatchObject({ user_scope: 'a b' });
    expect(as.authorizations[0]).not.toHaveProperty('scope');
  });

  it(`${proves('R-5.2-03', 'R-5.2-04')} takes endpoints instead of an issuer, whatever that is`, async () => {
    // Neither the issuer of the answer nor an ID token can be compared with an issuer nobody named.
    const { as, remote } = await startPair(
      { place: '/nowhere', iss: 'https://who.example/tenant', tokens: { id_token: 'not.a.token' } },
      { place: undefined },
    );
    const { secrets } = await logIn(remote, {
      clientId: 'fixed',
      authorizeUrl: `${as.issuer}/authorize`,
      tokenUrl: `${as.issuer}/token`,
    });
    expect(secrets.values.get('berth.far.remote-grant')).toContain([...as.valid][0]);
  });

  it(`${proves('R-5.2-02')} logs in at the issuer of the flag, even where the remote names another`, async () => {
    const { as, remote } = await startPair({}, { issuer: 'https://other.example' });
    await logIn(remote, { issuer: as.issuer });
    expect(as.authorizations).toHaveLength(1);
  });

  it('does not need the ID token it did not ask for', async () => {
    const { as, remote } = await startPair({ tokens: { id_token: 'x.y.z' } });
    await logIn(remote, { scopes: ['openid'] });
    expect(as.valid.size).toBe(1);
  });

  it(`${proves('K-6-10')} keeps what it got in the secrets store, by issuer`, async () => {
    const { as, remote } = await startPair();
    const { secrets } = await logIn(remote);
    const kept = JSON.parse(secrets.values.get('berth.far.remote-grant') ?? '');
    expect(kept.current).toBe(as.issuer);
    expect(Object.keys(kept.grants)).toEqual([as.issuer]);
    expect(as.refreshes.has(kept.grants[as.issuer].refreshToken)).toBe(true);
  });

  it(`${proves('K-8.6-05')} asks nobody again while the login of before serves`, async () => {
    const { as, remote } = await startPair();
    const { secrets, links } = await logIn(remote);
    await logIn(remote, {}, { secrets });
    as.valid.clear();
    await logIn(remote, {}, { secrets });
    expect(as.authorizations).toHaveLength(1);
    expect(links).toHaveLength(1);
    expect(as.tokens.at(-1)?.grant_type).toBe('refresh_token');
  });

  it(`${proves('K-6-12')} asks again when the grant is lost`, async () => {
    const { as, remote } = await startPair();
    const { secrets } = await logIn(remote);
    as.valid.clear();
    as.refreshes.clear();
    await logIn(remote, {}, { secrets });
    expect(as.authorizations).toHaveLength(2);
  });

  it('bothers nobody while the authorization server is away', async () => {
    const { as, remote } = await startPair();
    const { secrets } = await logIn(remote);
    as.valid.clear();
    as.gate = async () => ({ status: 503 });
    await logIn(remote, {}, { secrets });
    expect(as.authorizations).toHaveLength(1);
  });

  it('needs no login where none is asked for, and one where only metadata asks', async () => {
    const { as, remote: open } = await startPair({}, { accepts: () => true, place: undefined });
    await logIn(open);
    expect(as.authorizations).toHaveLength(0);
    const { as: other, remote: late } = await startPair({}, { accepts: () => true });
    await logIn(late);
    expect(other.authorizations).toHaveLength(1);
  });

  it(`${proves('R-5.2-14', 'K-8.6-03')} shows the link without a terminal only with --remote-auth-skip-browser, and opens none then`, async () => {
    const { remote } = await startPair();
    await expect(logIn(remote, { skipBrowser: false })).rejects.toMatchObject({
      code: 'remote_auth_needs_terminal',
    });
    expect((await logIn(remote)).links).toMatchObject([[expect.stringContaining('/authorize?'), false]]);
    const atTerminal = { isTerminal: true };
    expect((await logIn(remote, { skipBrowser: true }, atTerminal)).links[0]?.[1]).toBe(false);
    expect((await logIn(remote, { skipBrowser: false }, atTerminal)).links[0]?.[1]).toBe(true);
  });

  it(`${proves('R-5.2-13', 'K-6-07')} comes back to the port of the flag, 8666 when absent, on loopback`, async () => {
    const { as, remote } = await startPair();
    await logIn(remote, { callbackPort: 18_777 });
    expect(as.authorizations[0]?.redirect_uri).toBe('http://127.0.0.1:18777/callback');
    expect(planRemote(remote.url, { callbackPort: undefined }).remoteAuth?.callbackPort).toBe(8666);
  });

  it(`${proves('K-6-08')} takes another port when that is busy, unless a fixed client is bound to it`, async () => {
    const busy = createServer().listen(18_778, '127.0.0.1');
    onTestFinished(() => void busy.close());
    await new Promise((done) => busy.once('listening', done));
    const { as, remote } = await startPair();
    await logIn(remote, { callbackPort: 18_778 });
    const { port, hostname } = new URL(as.authorizations[0]?.redirect_uri ?? '');
    expect(hostname).toBe('127.0.0.1');
    expect(port).not.toBe('18778');
    await expect(logIn(remote, { callbackPort: 18_778, clientId: 'fixed' })).rejects.toMatchObject({
      code: 'remote_auth_port_busy',
      message: expect.stringContaining('18778'),
    });
  });

  it(`${proves('R-5.2-15')} waits as long as told and names the time, 30 s when absent`, async () => {
    const { remote } = await startPair();
    const nobody = { showLink: () => {} };
    await expect(logIn(remote, { timeoutMs: 60 }, nobody)).rejects.toMatchObject({
      code: 'remote_auth_timeout',
      message: expect.stringContaining('60ms'),
    });
    expect(planRemote(remote.url).remoteAuth?.timeoutMs).toBe(30_000);
  });

  it('stops waiting when it is interrupted', async () => {
    const { remote } = await startPair();
    const stop = new AbortController();
    const why = new Error('interrupted');
    await expect(logIn(remote, {}, { showLink: () => stop.abort(why), signal: stop.signal })).rejects.toBe(
      why,
    );
  });

  it('takes no answer that is not its own', async () => {
    const { as, remote } = await startPair();
    const statuses: number[] = [];
    await logIn(
      remote,
      {},
      {
        async showLink(url) {
          const back = new URL(url).searchParams.get('redirect_uri') ?? '';
          for (const query of ['?code=x&state=y', '?error=access_denied', '/../?code=x'])
            statuses.push((await fetch(`${back}${query}`)).status);
          statuses.push(await browse(url));
        },
      },
    );
    expect(statuses.slice(0, 3)).toEqual([404, 404, 404]);
    expect(as.tokens).toHaveLength(1);
  });

  it('says what the authorization server refused', async () => {
    const { remote } = await startPair();
    const refused = logIn(
      remote,
      {},
      {
        showLink(url) {
          const { searchParams } = new URL(url);
          const back = new URL(searchParams.get('redirect_uri') ?? '');
          back.searchParams.set('error', 'access_denied');
          back.searchParams.set('state', searchParams.get('state') ?? '');
          void fetch(back);
        },
      },
    );
    await expect(refused).rejects.toMatchObject({ code: 'remote_auth_failed' });
    await expect(refused).rejects.toThrow(/access_denied|iss/);
  });

  it(`${proves('K-6-03')} refuses an answer of another issuer`, async () => {
    const { as, remote } = await startPair({ iss: 'https://other.example' });
    await expect(logIn(remote)).rejects.toMatchObject({ code: 'remote_auth_failed' });
    expect(as.tokens).toHaveLength(0);
  });

  it.each([
    ['authorization_endpoint', 'http://203.0.113.7/authorize'],
    ['authorization_endpoint', 'javascript:alert(1)'],
    ['token_endpoint', 'http://203.0.113.7/token'],
    ['registration_endpoint', 'file:///etc/passwd'],
  ])(`${proves('K-6-13')} follows no %s that is %s`, async (member, value) => {
    const { as, remote } = await startPair({ metadata: () => ({ [member]: value }) });
    const links: string[] = [];
    await expect(logIn(remote, {}, { showLink: (url) => links.push(url) })).rejects.toMatchObject({
      code: 'remote_auth_insecure',
    });
    expect(links).toEqual([]);
    expect(as.registrations).toEqual([]);
  });

  it('does not log in where PKCE with S256 is not known', async () => {
    const { remote } = await startPair({ metadata: () => ({ code_challenge_methods_supported: ['plain'] }) });
    await expect(logIn(remote)).rejects.toMatchObject({ code: 'remote_auth_pkce' });
  });

  it('never sends the secrets anywhere but to the token endpoint', async () => {
    const { as, remote } = await startPair();
    const { links, plan } = await logIn(remote, { clientId: 'fixed', clientSecret: 'the-secret' });
    expect(JSON.stringify([links, plan, as.authorizations])).not.toContain('s3cret');
  });
});
