import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type OidcClient, Provider } from 'oidc-provider';

/** A real authorization server on loopback that people log in at by browser. Whoever comes is let in as `alice`. */
export interface AuthorizationProvider {
  readonly url: string;
  /** The provider block of a registry's configuration. */
  readonly provider: Readonly<Record<string, unknown>>;
  /** Requests, as `POST /token`. */
  readonly asked: string[];
  close(): Promise<void>;
}

export interface ProviderOptions {
  /** What tokens say of alice. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Seconds an access token lives. */
  readonly lifetime?: number;
}

const AUDIENCE = 'berth-e2e';
const SCOPES = 'openid profile email mcp:read mcp-registry:read mcp-registry:write';

/** Starts oidc-provider with dynamic registration, PKCE, resource indicators and rotating refresh tokens. */
export async function startAuthorizationProvider(
  options: ProviderOptions = {},
): Promise<AuthorizationProvider> {
  const { claims = {}, lifetime = 3600 } = options;
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const provider: Provider = new Provider(url, {
    scopes: [...SCOPES.split(' '), 'offline_access'],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'signing', alg: 'ES256', use: 'sig' }] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: { keys: ['only for tests'] },
    pkce: { required: () => true },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    extraTokenClaims: () => claims,
    findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { AccessToken: lifetime, Interaction: 60, Session: 60, Grant: 3600, RefreshToken: 3600 },
    async loadExistingGrant({ oidc }: { oidc: { client: OidcClient; session: { accountId?: string } } }) {
      const { accountId } = oidc.session;
      if (accountId === undefined) return undefined;
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId });
      grant.addOIDCScope(`${SCOPES} offline_access`);
      for (const resource of resources) grant.addResourceScope(resource, SCOPES);
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx: unknown, resource: string) {
          resources.add(resource);
          return {
            scope: SCOPES,
            audience: AUDIENCE,
            accessTokenTTL: lifetime,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
  });
  const resources = new Set<string>();
  const asked: string[] = [];
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    asked.push(`${request.method} ${path}`);
    if (!path.startsWith('/interaction/')) answer(request, response);
    else
      void provider.interactionFinished(request, response, {
        login: { accountId: 'alice' },
        // Native clients are always asked for.
        consent: {},
      });
  });
  return {
    url,
    asked,
    provider: { name: 'oidc', issuerUrl: url, audience: AUDIENCE, allowPrivateIP: true },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
