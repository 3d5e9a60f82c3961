import {
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  clockTolerance,
  discoveryRequest,
  getValidatedIdTokenClaims,
  type IDToken,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  refreshTokenGrantRequest,
  revocationRequest,
  type TokenEndpointResponse,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi';
import type { Fetch } from '../../auth/fetch-json.ts';
import { chooseAuthMethod, makeClient, requestOptions } from '../../auth/oauth-client.ts';
import { readSecretFile } from '../../auth/secret-file.ts';
import { checkMetadata } from './check-metadata.ts';
import type { PendingSignIn } from './pending-sign-in.ts';
import type { SignInSettings } from './sign-in-settings.ts';

/** What a token endpoint gave. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly idToken: string | undefined;
  /** The members of the ID token, validated with its signature. */
  readonly idMembers: IDToken | undefined;
  /** Milliseconds since the epoch; undefined when the provider did not tell. */
  readonly expiresAt: number | undefined;
}

/** This service as a client of the provider people sign in with. Fails with what the library or `fetch` throws. */
export interface ProviderClient {
  readonly settings: SignInSettings;
  /** @throws BerthError `provider_metadata` for metadata nobody can sign in with */
  discover(): Promise<AuthorizationServer>;
  /** Checks the answer that a browser brought (state, issuer) and exchanges its code for tokens. */
  redeem(answer: URLSearchParams, pending: PendingSignIn): Promise<Tokens>;
  refresh(refreshToken: string): Promise<Tokens>;
  /** Makes a refresh token worthless, where the provider lets one. */
  revoke(refreshToken: string): Promise<void>;
}

export interface ProviderClientDeps {
  readonly fetch: Fetch;
  /** Where relative paths of the configuration start. */
  readonly baseDir: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const REMEMBERED_MS = 3_600_000;
/** Seconds, as for access tokens (contract 7). */
const CLOCK_SKEW_S = 30;

export function createProviderClient(settings: SignInSettings, deps: ProviderClientDeps): ProviderClient {
  const { provider, clientId, scope, resource } = settings;
  const { now, baseDir } = deps;
  const additionalParameters = resource === undefined ? {} : { resource };
  let known: { readonly server: Promise<AuthorizationServer>; readonly at: number } | undefined;

  const makeOptions = async () => {
    const bearer = provider.authTokenFile && (await readSecretFile(baseDir, provider.authTokenFile));
    const headers = new Headers(bearer ? { Authorization: `Bearer ${bearer}` } : {});
    return { ...requestOptions(deps.fetch), headers };
  };
  const ask = async (): Promise<AuthorizationServer> => {
    const issuer = new URL(provider.issuerUrl);
    const response = await discoveryRequest(issuer, await makeOptions());
    const found = await processDiscoveryResponse(issuer, response);
    const { jwksUrl } = provider;
    return checkMetadata(jwksUrl === undefined ? found : { ...found, jwks_uri: jwksUrl }, provider);
  };
  const discover = (): Promise<AuthorizationServer> => {
    const age = known === undefined ? REMEMBERED_MS : now() - known.at;
    if (known !== undefined && age >= 0 && age < REMEMBERED_MS) return known.server;
    const server = ask();
    known = { server, at: now() };
    server.catch(() => {
      if (known?.server === server) known = undefined;
    });
    return server;
  };
  const prove = async (server: AuthorizationServer) => {
    const { clientSecretFile } = settings;
    const secret =
      clientSecretFile === undefined ? undefined : await readSecretFile(baseDir, clientSecretFile);
    const { client, authentication } = makeClient(clientId, secret, chooseAuthMethod(server, secret));
    return { client: { ...client, [clockTolerance]: CLOCK_SKEW_S }, authentication };
  };
  /** The library checks the members of an ID token; that it came straight from the provider is not enough for us. */
  const accept = async (
    server: AuthorizationServer,
    response: Response,
    answer: TokenEndpointResponse,
  ): Promise<Tokens> => {
    const idMembers = getValidatedIdTokenClaims(answer);
    if (idMembers !== undefined)
      await validateApplicationLevelSignature(server, response, await makeOptions());
    return {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token,
      idToken: answer.id_token,
      idMembers,
      expiresAt: answer.expires_in === undefined ? undefined : now() + answer.expires_in * 1000,
    };
  };
  return {
    settings,
    discover,
    async redeem(answer, pending) {
      const server = await discover();
      const { client, authentication } = await prove(server);
      const validated = validateAuthResponse(server, client, answer, pending.state);
      const response = await authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        validated,
        pending.redirectUri,
        pending.verifier,
        { ...requestOptions(deps.fetch), additionalParameters },
      );
      const expectsIdToken = scope.split(' ').includes('openid');
      const tokens = await processAuthorizationCodeResponse(server, client, response, {
        ...(expectsIdToken ? { expectedNonce: pending.nonce, requireIdToken: true } : {}),
      });
      return accept(server, response, tokens);
    },
    async refresh(refreshToken) {
      const server = await discover();
      const { client, authentication } = await prove(server);
      const response = await refreshTokenGrantRequest(server, client, authentication, refreshToken, {
        ...requestOptions(deps.fetch),
        additionalParameters,
      });
      return accept(server, response, await processRefreshTokenResponse(server, client, response));
    },
    async revoke(refreshToken) {
      const server = await discover();
      if (server.revocation_endpoint === undefined) return;
      const { client, authentication } = await prove(server);
      await processRevocationResponse(
        await revocationRequest(server, client, authentication, refreshToken, requestOptions(deps.fetch)),
      );
    },
  };
}
