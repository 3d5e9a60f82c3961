import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type OidcClient, Provider } from 'oidc-provider';
import { ask } from './http-client.ts';

type Claims = Readonly<Record<string, unknown>>;

export interface IssuerOptions {
  /** Who may ask for tokens, with the claims their tokens carry; the name is the subject. */
  readonly callers: Readonly<Record<string, Claims>>;
  /** The port of an issuer that was here before; any free one when absent. */
  readonly port?: number;
}

/** A real identity provider on loopback (oidc-provider). */
export interface Issuer {
  readonly url: string;
  readonly port: number;
  readonly introspectionUrl: string;
  /** An access token of a caller by client credentials: an ES256 JWT, or one to be introspected. */
  issue(caller: string, format?: 'jwt' | 'opaque'): Promise<string>;
  /** The provider block of a configuration, without introspection. */
  provider(more?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  close(): Promise<void>;
}

export const AUDIENCE = 'berth-e2e';
/** Resource indicators: which form of token is asked for. */
const RESOURCES = { jwt: 'https://berth.test/jwt', opaque: 'https://berth.test/opaque' };
/** The client that may introspect everybody's tokens. */
export const INTROSPECTOR = { id: 'berth-service', secret: 'introspection-secret-of-the-test-service' };

const secretOf = (caller: string) => `secret-of-${caller}-that-is-long-enough`;

/** Starts an identity provider with discovery, JWKS, client credentials, introspection, JWT and opaque tokens. */
export async function startIssuer({ callers, port = 0 }: IssuerOptions): Promise<Issuer> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const { port: bound } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${bound}`;
  server.on('request', new Provider(url, describeProvider(callers)).callback());
  return {
    url,
    port: bound,
    introspectionUrl: `${url}/token/introspection`,
    issue: (caller, format = 'jwt') => requestToken(url, caller, format),
    provider: (more = {}) => ({
      name: 'oidc',
      issuerUrl: url,
      audience: AUDIENCE,
      allowPrivateIP: true,
      ...more,
    }),
    close: () => closeServer(server),
  };
}

function describeProvider(callers: IssuerOptions['callers']): Record<string, unknown> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const client = (id: string, secret: string, grants: readonly string[]) => ({
    client_id: id,
    client_secret: secret,
    grant_types: grants,
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_basic',
  });
  return {
    clients: [
      ...Object.keys(callers).map((caller) => client(caller, secretOf(caller), ['client_credentials'])),
      client(INTROSPECTOR.id, INTROSPECTOR.secret, []),
    ],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'signing', alg: 'ES256', use: 'sig' }] },
    ttl: { ClientCredentials: 600 },
    cookies: { keys: ['no session is ever started'] },
    extraTokenClaims: (_ctx: unknown, { clientId }: OidcClient) => callers[clientId],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx: unknown, { clientId }: OidcClient) => clientId === INTROSPECTOR.id,
      },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx: unknown, resource: string) => ({
          scope: '',
          audience: AUDIENCE,
          accessTokenTTL: 600,
          accessTokenFormat: resource === RESOURCES.opaque ? 'opaque' : 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  };
}

async function requestToken(url: string, caller: string, format: 'jwt' | 'opaque'): Promise<string> {
  const reply = await ask(`${url}/token`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Basic ${Buffer.from(`${caller}:${secretOf(caller)}`).toString('base64')}`,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: RESOURCES[format] }).toString(),
  });
  if (reply.status !== 200) throw new Error(`no token for ${caller}: ${reply.text}`);
  return reply.json.access_token;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}
