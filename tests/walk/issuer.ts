// The identity provider of the README's walk: six personas that sign in with `client_credentials`, or to the site with
// a browser. For trying only.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { askWho, grantEverything, SITE_CLIENT } from './sign-in.ts';

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

const names = Object.keys(PERSONAS);
const tools = names.map((persona) => ({
  client_id: persona,
  client_secret: 'walk',
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
}));

const provider: Provider = new Provider(ISSUER, {
  clients: [...tools, SITE_CLIENT],
  jwks: { keys: [key] },
  cookies: { keys: ['only for trying'] },
  scopes: ['openid', 'profile'],
  ttl: {
    AccessToken: 3600,
    Grant: 86_400,
    IdToken: 3600,
    Interaction: 600,
    RefreshToken: 86_400,
    Session: 86_400,
  },
  issueRefreshToken: () => true,
  loadExistingGrant: (context: Parameters<typeof grantEverything>[1]) => grantEverything(provider, context),
  findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      defaultResource: () => 'http://127.0.0.1:8080',
      getResourceServerInfo: () => ({
        scope: 'mcp-registry:read mcp-registry:write openid profile',
        audience: AUDIENCE,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 3600,
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
  extraTokenClaims: (_context: unknown, token: { readonly clientId: string; readonly accountId?: string }) =>
    PERSONAS[token.accountId ?? token.clientId] ?? {},
});

const answer = provider.callback();
const server = createServer((request, response) => {
  if (request.url?.startsWith('/interaction/')) void askWho(provider, names, request, response);
  else answer(request, response);
});
server.listen(9400, '127.0.0.1', () => console.log(`${ISSUER} signs in ${names.join(', ')}`));
