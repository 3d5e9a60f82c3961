import {
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  processAuthorizationCodeResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import { makeClient, requestOptions } from '../../server/auth/oauth-client.ts';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { isLoopbackName } from '../../sources/net/address-guard.ts';
import { type ClientWish, chooseClient, isFixedClient } from './choose-client.ts';
import type { AuthorizationServer } from './find-authorization-server.ts';
import type { Grant } from './grant.ts';
import { dropIdToken, toLibraryServer } from './library-server.ts';
import { openCallback } from './open-callback.ts';

export interface LoginWish {
  readonly client: ClientWish;
  readonly scopes: readonly string[];
  /** Name of the parameter that carries the scopes; `scope` when absent. */
  readonly scopeParamName: string | undefined;
  /** RFC 8707. */
  readonly resource: string | undefined;
  readonly callbackPort: number;
  /** Milliseconds a person has. */
  readonly timeoutMs: number;
}

export interface LoginDeps {
  readonly fetch: typeof globalThis.fetch;
  /** Shows the link to the person in front of this terminal, and opens it where a browser may be opened. */
  readonly showLink: (url: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Aborted to give up waiting for the person. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Logs a person in with the authorization code flow: PKCE with S256 always, `state`, `resource` on both requests, and
 * the issuer of the answer checked (contract 6, RFC 9207). Only the access token is asked for: no nonce, and an ID
 * token that comes along is not read.
 * @throws BerthError `remote_auth_*`
 */
export async function logIn(server: AuthorizationServer, wish: LoginWish, deps: LoginDeps): Promise<Grant> {
  requireSecure(server);
  const state = generateRandomState();
  const callback = await openCallback(wish.callbackPort, isFixedClient(wish.client), state);
  try {
    const { redirectUri } = callback;
    const chosen = await chooseClient(server, wish.client, redirectUri, wish.scopes, deps.fetch);
    const { client, authentication } = makeClient(chosen.clientId, chosen.clientSecret, chosen.authMethod);
    const verifier = generateRandomCodeVerifier();
    const url = new URL(server.authorization_endpoint);
    const parameters = {
      response_type: 'code',
      client_id: chosen.clientId,
      redirect_uri: redirectUri,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      ...(wish.scopes.length === 0 ? {} : { [wish.scopeParamName ?? 'scope']: wish.scopes.join(' ') }),
      ...(wish.resource === undefined ? {} : { resource: wish.resource }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    deps.showLink(url.href);
    const answer = await callback.wait(wish.timeoutMs, deps.signal);
    // Endpoints that came without an issuer have none that the answer could be compared with.
    if (!server.isIssuerKnown) answer.delete('iss');

    const library = toLibraryServer(server);
    const validated = validateAuthResponse(library, client, answer, state);
    const response = await authorizationCodeGrantRequest(
      library,
      client,
      authentication,
      validated,
      redirectUri,
      verifier,
      {
        ...requestOptions(deps.fetch),
        ...(wish.resource === undefined ? {} : { additionalParameters: { resource: wish.resource } }),
      },
    );
    const tokens = await processAuthorizationCodeResponse(library, client, await dropIdToken(response));
    return {
      issuer: server.issuer,
      tokenEndpoint: server.token_endpoint,
      clientId: chosen.clientId,
      ...(chosen.clientSecret === undefined ? {} : { clientSecret: chosen.clientSecret }),
      authMethod: chosen.authMethod,
      ...(wish.resource === undefined ? {} : { resource: wish.resource }),
      accessToken: tokens.access_token,
      ...(tokens.expires_in === undefined ? {} : { expiresAt: deps.now() + tokens.expires_in * 1000 }),
      ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token }),
    };
  } catch (error) {
    if (error instanceof BerthError || deps.signal?.aborted) throw error;
    throw new BerthError(
      'remote_auth_failed',
      `The login at ${server.issuer} failed: ${describeFailure(error)}.`,
      {
        fix: 'Try again, or ask whoever runs the authorization server.',
        cause: error,
      },
    );
  } finally {
    callback.close();
  }
}

/**
 * The link is opened on this machine and tokens go to these addresses: https, or http to loopback, nothing else.
 * @throws BerthError `remote_auth_insecure`
 */
function requireSecure(server: AuthorizationServer): void {
  const places = [server.authorization_endpoint, server.token_endpoint, server.registration_endpoint];
  const wrong = places.find((place) => place !== undefined && !isSecure(new URL(place)));
  if (wrong === undefined) return;
  throw new BerthError(
    'remote_auth_insecure',
    `The login at ${server.issuer} leads to an address that is not https.`,
    {
      at: { url: wrong },
      fix: 'Use an authorization server with https; plain http is for loopback only.',
    },
  );
}

function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname));
}

/** What the server said, where it said something; the library's own words are about our code. */
function describeFailure(error: unknown): string {
  if (error instanceof Error && 'error' in error && typeof error.error === 'string') {
    const more =
      'error_description' in error && typeof error.error_description === 'string'
        ? ` (${error.error_description})`
        : '';
    return `${error.error}${more}`;
  }
  return messageOf(error);
}
