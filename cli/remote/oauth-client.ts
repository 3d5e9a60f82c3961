import {
  allowInsecureRequests,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  customFetch,
  type AuthorizationServer as LibraryServer,
  None,
} from 'oauth4webapi';
import { z } from 'zod';
import type { AuthorizationServer } from './find-authorization-server.ts';
import type { Grant } from './grant.ts';

export type AuthMethod = Grant['authMethod'];

const answerSchema = z.record(z.string(), z.unknown());

/** A client of an authorization server, in the library's terms. */
export interface OauthClient {
  readonly client: Client;
  readonly authentication: ClientAuth;
}

export function makeClient(
  clientId: string,
  clientSecret: string | undefined,
  authMethod: AuthMethod,
): OauthClient {
  const client = { client_id: clientId };
  if (clientSecret === undefined || authMethod === 'none') return { client, authentication: None() };
  const authentication =
    authMethod === 'client_secret_post' ? ClientSecretPost(clientSecret) : sendBasic(clientSecret);
  return { client, authentication };
}

/**
 * RFC 6749 2.3.1: both parts form-encoded. The library's own also escapes what needs no escape (`-`, `_`, `.`), and
 * the many servers that decode nothing would take that for another secret.
 */
function sendBasic(clientSecret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    const pair = `${encodePart(client_id)}:${encodePart(clientSecret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };
}

function encodePart(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2);
}

/** How a client with a secret proves itself, by what the server takes (RFC 8414: basic when it does not say). */
export function chooseAuthMethod(
  server: Pick<AuthorizationServer, 'token_endpoint_auth_methods_supported'>,
  clientSecret: string | undefined,
): AuthMethod {
  if (clientSecret === undefined) return 'none';
  const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return !taken.includes('client_secret_basic') && taken.includes('client_secret_post')
    ? 'client_secret_post'
    : 'client_secret_basic';
}

/** Options of each request: `logIn` decides what plain http is allowed, so the library need not. */
export function requestOptions(fetch: typeof globalThis.fetch) {
  return {
    [customFetch]: (url: string, init: RequestInit) => fetch(url, init),
    [allowInsecureRequests]: true,
  };
}

export function toLibraryServer(server: {
  readonly issuer: string;
  readonly token_endpoint: string;
  readonly registration_endpoint?: string | undefined;
  readonly authorization_response_iss_parameter_supported?: boolean | undefined;
}): LibraryServer {
  const { issuer, token_endpoint, registration_endpoint, authorization_response_iss_parameter_supported } =
    server;
  return {
    issuer,
    token_endpoint,
    ...(registration_endpoint === undefined ? {} : { registration_endpoint }),
    ...(authorization_response_iss_parameter_supported === undefined
      ? {}
      : { authorization_response_iss_parameter_supported }),
  };
}

/**
 * The answer of a token endpoint without the ID token. The access token is all we are after, and an ID token nobody
 * reads must not fail a login, for example at endpoints that were given without their issuer.
 */
export async function dropIdToken(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const text = await response.text();
  const { status, headers } = response;
  try {
    const { id_token: _, ...rest } = answerSchema.parse(JSON.parse(text));
    return new Response(JSON.stringify(rest), { status, headers });
  } catch {
    return new Response(text, { status, headers });
  }
}
