import { dynamicClientRegistrationRequest, processDynamicClientRegistrationResponse } from 'oauth4webapi';
import { z } from 'zod';
import { type AuthMethod, chooseAuthMethod, requestOptions } from '../../server/auth/oauth-client.ts';
import { BerthError, messageOf } from '../../sources/errors.ts';
import type { AuthorizationServer } from './find-authorization-server.ts';
import { toLibraryServer } from './library-server.ts';

const registeredSchema = z.looseObject({ client_secret: z.string() });

export interface ChosenClient {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly authMethod: AuthMethod;
}

export interface ClientWish {
  /** `--remote-auth-client-id`. */
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  /** URL of our Client ID Metadata Document, when one is configured. */
  readonly metadataUrl: string | undefined;
}

/** Whether the redirect address must be the one of the wish: it is registered somewhere we cannot change. */
export function isFixedClient(wish: ClientWish): boolean {
  return wish.clientId !== undefined;
}

/**
 * Decides as which client we log in (contract 6): the one of the flag, our metadata document when the server takes
 * such and one is configured, else a registration by RFC 7591 as a native client.
 * @throws BerthError `remote_auth_no_client`, `remote_auth_registration`
 */
export async function chooseClient(
  server: AuthorizationServer,
  wish: ClientWish,
  redirectUri: string,
  scopes: readonly string[],
  fetch: typeof globalThis.fetch,
): Promise<ChosenClient> {
  if (wish.clientId !== undefined) {
    const { clientId, clientSecret } = wish;
    return { clientId, clientSecret, authMethod: chooseAuthMethod(server, clientSecret) };
  }
  if (wish.metadataUrl !== undefined && server.client_id_metadata_document_supported === true) {
    return { clientId: wish.metadataUrl, clientSecret: undefined, authMethod: 'none' };
  }
  if (server.registration_endpoint === undefined) {
    throw new BerthError(
      'remote_auth_no_client',
      `The authorization server ${server.issuer} registers no clients by itself.`,
      {
        fix: 'Register one there and name it with --remote-auth-client-id.',
      },
    );
  }
  try {
    const response = await dynamicClientRegistrationRequest(
      toLibraryServer(server),
      {
        client_name: 'Berth',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: chooseRegisteredMethod(server),
        application_type: 'native',
        ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
      },
      requestOptions(fetch),
    );
    const registered = await processDynamicClientRegistrationResponse(await asCreated(response));
    const secret = typeof registered.client_secret === 'string' ? registered.client_secret : undefined;
    const method = registered.token_endpoint_auth_method;
    const authMethod =
      method === 'client_secret_post' || method === 'client_secret_basic'
        ? method
        : method === 'none'
          ? 'none'
          : chooseAuthMethod(server, secret);
    return { clientId: registered.client_id, clientSecret: secret, authMethod };
  } catch (cause) {
    throw new BerthError(
      'remote_auth_registration',
      `A client could not be registered: ${messageOf(cause)}.`,
      {
        at: { url: server.registration_endpoint },
        fix: 'Register one there and name it with --remote-auth-client-id.',
        cause,
      },
    );
  }
}

/** A public client where the server takes such, as a native application is one. */
function chooseRegisteredMethod({
  token_endpoint_auth_methods_supported: taken,
}: AuthorizationServer): AuthMethod {
  if (taken === undefined || taken.includes('none')) return 'none';
  return taken.includes('client_secret_post') && !taken.includes('client_secret_basic')
    ? 'client_secret_post'
    : 'client_secret_basic';
}

/**
 * Some servers answer 200 instead of 201, and many leave out when a secret ends, which RFC 7591 requires and nobody
 * needs: then it does not end.
 */
async function asCreated(response: Response): Promise<Response> {
  if (response.status !== 200 && response.status !== 201) return response;
  const { headers } = response;
  const text = await response.text();
  const parsed = registeredSchema.safeParse(parse(text));
  if (!parsed.success) return new Response(text, { status: 201, headers });
  const completed = { client_secret_expires_at: 0, ...parsed.data };
  return new Response(JSON.stringify(completed), { status: 201, headers });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
