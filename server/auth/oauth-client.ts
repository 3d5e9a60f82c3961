import {
  allowInsecureRequests,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  customFetch,
  None,
} from 'oauth4webapi';

/** How a client proves itself at a token endpoint. */
export type AuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

/** A client of an authorization server, in the library's terms. */
export interface OauthClient {
  readonly client: Client;
  readonly authentication: ClientAuth;
}

/** @param clientSecret undefined for a public client, which proves nothing */
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
  server: { readonly token_endpoint_auth_methods_supported?: readonly string[] | undefined },
  clientSecret: string | undefined,
): AuthMethod {
  if (clientSecret === undefined) return 'none';
  const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return !taken.includes('client_secret_basic') && taken.includes('client_secret_post')
    ? 'client_secret_post'
    : 'client_secret_basic';
}

/** `RequestInit`, as the library hands it over: with a body that is there and undefined. */
type LibraryInit = Omit<RequestInit, 'body'> & { readonly body?: RequestInit['body'] | undefined };

/** Options of each request: the `fetch` decides what plain http is allowed, so the library need not. */
export function requestOptions(fetch: typeof globalThis.fetch) {
  return {
    [customFetch]: (url: string, { body, ...init }: LibraryInit) =>
      fetch(url, body === undefined ? init : { ...init, body }),
    [allowInsecureRequests]: true,
  };
}
