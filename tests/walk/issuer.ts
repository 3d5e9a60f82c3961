// The identity provider of the README's walk: six personas that sign in with `client_credentials`. For trying only.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { type OidcClient, Provider } from 'oidc-provider';

const ISSUER = 'http://127.0.0.1:9400';
const AUDIENCE = 'berth-walk';

/** Who signs in, and the claims of their tokens. */
const PERSONAS: Readonly<Record<string, Record<string, string>>> = {
  root: { org: 'acme', role: 'super-admin' },
  'platform-admin': { org: 'acme', team: 'platform', role: 'admin' },
  'platform-writer': { org: 'acme', team: 'platform', role: 'writer' },
  'data-writer': { org: 'acme', team: 'data', role: 'writer' },
  intern: { org: 'acme' },
  outsider: { org: 'contoso', role: 'admin' },
};

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = { ...privateKey.export({ format: 'jwk' }), kty: 'RSA', alg: 'RS256', use: 'sig', kid: 'walk' };

const provider = new Provider(ISSUER, {
  clients: Object.keys(PERSONAS).map((persona) => ({
    client_id: persona,
    client_secret: 'walk',
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
  })),
  jwks: { keys: [key] },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'http://127.0.0.1:8080',
      getResourceServerInfo: () => ({
        scope: 'mcp-registry:read mcp-registry:write',
        audience: AUDIENCE,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 3600,
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
  extraTokenClaims: (_context: unknown, token: OidcClient) => PERSONAS[token.clientId] ?? {},
});

createServer(provider.callback()).listen(9400, '127.0.0.1', () =>
  console.log(`${ISSUER} signs in ${Object.keys(PERSONAS).join(', ')}`),
);
