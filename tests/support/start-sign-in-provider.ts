import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type OidcClient, Provider } from 'oidc-provider';
import { SIGNED_OUT_PAGE, writeLogoutPage, writePersonaPage } from './sign-in-pages.ts';

type Claims = Readonly<Record<string, unknown>>;

export interface SignInProviderOptions {
  /** Who can sign in, by what is typed: what their access tokens say of them. The name is the subject. */
  readonly personas: Readonly<Record<string, Claims>>;
  /** Seconds an access token lives; an hour when absent. */
  readonly lifetime?: number;
  /** Further addresses of the site; every port of loopback is known already. */
  readonly sites?: readonly string[];
}

/** A real OpenID Connect provider on loopback, for people who sign in to the site with a browser. */
export interface SignInProvider {
  readonly url: string;
  /** The provider block of a registry's configuration. */
  readonly provider: Claims;
  /** Requests so far, as `POST /token`. */
  readonly asked: string[];
  close(): Promise<void>;
}

export const SITE_AUDIENCE = 'berth-site-tests';
/** Clients for `site.signIn.clientId`: one without a secret, and two that prove themselves in different ways. */
export const SITE_CLIENT = 'berth-site';
export const SECRET_CLIENTS = { basic: 'berth-site-basic', post: 'berth-site-post' };
export const SITE_SECRET = 'secret-of-the-site+with/characters that=need%care';
/** Values for `site.signIn.resource` with tokens a registry does not take; any other gives the right ones. */
export const WRONG_RESOURCES = { opaque: 'urn:berth:opaque', foreign: 'urn:berth:foreign' };

const SCOPES = 'openid profile';

/**
 * Starts oidc-provider with PKCE required, resource indicators, JWT access tokens, rotating refresh tokens and logout.
 * Its sign-in page has one field, `persona`; consent is given by itself.
 */
export async function startSignInProvider(options: SignInProviderOptions): Promise<SignInProvider> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const provider: Provider = new Provider(url, {
    ...describeProvider(options),
    async loadExistingGrant({
      oidc,
    }: {
      oidc: { client: OidcClient; session: { accountId?: string }; params: { resource?: string } };
    }) {
      const { accountId } = oidc.session;
      if (accountId === undefined) return undefined;
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId });
      grant.addOIDCScope(SCOPES);
      if (oidc.params.resource !== undefined) grant.addResourceScope(oidc.params.resource, SCOPES);
      await grant.save();
      return grant;
    },
  });
  const asked: string[] = [];
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    asked.push(`${request.method} ${path}`);
    if (path.startsWith('/interaction/')) void interact(provider, options, request, response);
    else answer(request, response);
  });
  return {
    url,
    asked,
    provider: { name: 'oidc', issuerUrl: url, audience: SITE_AUDIENCE, allowPrivateIP: true },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function interact(
  provider: Provider,
  { personas }: SignInProviderOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt } = await provider.interactionDetails(request, response);
  if (prompt.name === 'consent') return provider.interactionFinished(request, response, { consent: {} });
  const form = new URLSearchParams(request.method === 'POST' ? await text(request) : '');
  const persona = form.get('persona') ?? '';
  if (form.get('answer') === 'cancel') {
    const refusal = { error: 'access_denied', error_description: 'the person changed their mind' };
    return provider.interactionFinished(request, response, refusal);
  }
  if (Object.hasOwn(personas, persona)) {
    return provider.interactionFinished(request, response, { login: { accountId: persona }, consent: {} });
  }
  const problem = request.method === 'POST' ? 'Nobody has that name.' : '';
  response.writeHead(problem === '' ? 200 : 400, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end(writePersonaPage(Object.keys(personas), problem));
}

function describeProvider(options: SignInProviderOptions): Claims {
  const { personas, lifetime = 3600, sites = [] } = options;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const addresses = ['http://127.0.0.1', 'http://localhost', 'http://[::1]', ...sites];
  const client = (id: string, method: string) => ({
    client_id: id,
    ...(method === 'none' ? {} : { client_secret: SITE_SECRET }),
    // Of a native client the port of a loopback address does not count.
    application_type: 'native',
    token_endpoint_auth_method: method,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: addresses.map((site) => `${site}/sign-in/callback`),
    post_logout_redirect_uris: addresses.map((site) => `${site}/`),
  });
  return {
    clients: [
      client(SITE_CLIENT, 'none'),
      client(SECRET_CLIENTS.basic, 'client_secret_basic'),
      client(SECRET_CLIENTS.post, 'client_secret_post'),
    ],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'signing', alg: 'ES256', use: 'sig' }] },
    cookies: { keys: ['only for tests'] },
    scopes: SCOPES.split(' '),
    claims: { openid: ['sub'], profile: ['name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    extraTokenClaims: (_ctx: unknown, { accountId }: { accountId?: string }) => personas[accountId ?? ''],
    findAccount: (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, name: nameOf(id) }),
    }),
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { AccessToken: lifetime, Interaction: 600, Session: 600, Grant: 3600, RefreshToken: 3600 },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx: { body: string }, form: string) => {
          ctx.body = writeLogoutPage(form);
        },
        postLogoutSuccessSource: (ctx: { body: string }) => {
          ctx.body = SIGNED_OUT_PAGE;
        },
      },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx: unknown, resource: string) => ({
          scope: SCOPES,
          audience: resource === WRONG_RESOURCES.foreign ? 'somebody-else' : SITE_AUDIENCE,
          accessTokenTTL: lifetime,
          accessTokenFormat: resource === WRONG_RESOURCES.opaque ? 'opaque' : 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  };
}

/** What the ID token calls a persona: `alice` is `Alice Test`. */
export function nameOf(persona: string): string {
  return `${persona.slice(0, 1).toUpperCase()}${persona.slice(1)} Test`;
}
