import type { AuthorizationServer as LibraryServer } from 'oauth4webapi';
import { z } from 'zod';

const answerSchema = z.record(z.string(), z.unknown());

/** The members of a server's metadata that the library reads. */
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
