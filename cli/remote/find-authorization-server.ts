import { z } from 'zod';
import { BerthError } from '../../sources/errors.ts';
import { fetchDocument, insertWellKnown } from './fetch-document.ts';

const serverSchema = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.url().optional(),
  token_endpoint: z.url().optional(),
  registration_endpoint: z.url().optional(),
  scopes_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  client_id_metadata_document_supported: z.boolean().optional(),
  /** Members that only OpenID Connect providers have. */
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
});

/** An authorization server with what a login needs. */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly registration_endpoint?: string | undefined;
  readonly scopes_supported?: readonly string[] | undefined;
  readonly token_endpoint_auth_methods_supported?: readonly string[] | undefined;
  readonly authorization_response_iss_parameter_supported?: boolean | undefined;
  readonly client_id_metadata_document_supported?: boolean | undefined;
  /** True for an OpenID Connect provider. */
  readonly isOidc: boolean;
  /** False when only its endpoints were given, so that `issuer` is a name of ours. */
  readonly isIssuerKnown: boolean;
}

/**
 * Finds an authorization server by its issuer (contract 6): RFC 8414, then OpenID Connect discovery, with the issuer
 * path inserted and appended. The document must be of exactly this issuer.
 * @throws BerthError `remote_auth_discovery`, `remote_auth_issuer_mismatch`, `remote_auth_pkce`
 */
export async function findAuthorizationServer(
  fetch: typeof globalThis.fetch,
  issuer: string,
): Promise<AuthorizationServer> {
  const base = new URL(issuer);
  const appended = new URL(
    `${base.pathname.replace(/\/+$/, '')}/.well-known/openid-configuration`,
    base.origin,
  );
  const places = [
    { url: insertWellKnown(base, 'oauth-authorization-server'), isOidc: false },
    { url: insertWellKnown(base, 'openid-configuration'), isOidc: true },
    { url: appended, isOidc: true },
  ];
  for (const { url, isOidc } of places) {
    const response = await fetchDocument(fetch, url);
    if (response === undefined) continue;
    const parsed = serverSchema.safeParse(await response.json().catch(() => undefined));
    if (!parsed.success) throw refuse(url, 'its metadata cannot be understood');
    return check(parsed.data, issuer, url, isOidc);
  }
  throw refuse(base, 'neither RFC 8414 nor OpenID Connect metadata is there');
}

function check(
  found: z.infer<typeof serverSchema>,
  issuer: string,
  url: URL,
  isOidc: boolean,
): AuthorizationServer {
  if (found.issuer !== issuer) {
    throw new BerthError(
      'remote_auth_issuer_mismatch',
      `The metadata of the authorization server ${issuer} says that its issuer is ${found.issuer}.`,
      { at: { url: url.href }, fix: 'Both must be the same; ask whoever runs the server.' },
    );
  }
  const { authorization_endpoint, token_endpoint, code_challenge_methods_supported: methods } = found;
  if (authorization_endpoint === undefined || token_endpoint === undefined) {
    throw refuse(url, 'its metadata names no authorization or token endpoint');
  }
  if (methods !== undefined && !methods.includes('S256')) {
    throw new BerthError(
      'remote_auth_pkce',
      `The authorization server ${issuer} does not do PKCE with S256.`,
      {
        at: { url: url.href },
        fix: 'Berth logs in with PKCE only.',
      },
    );
  }
  const { id_token_signing_alg_values_supported: signs, scopes_supported: scopes, ...rest } = found;
  return {
    ...rest,
    scopes_supported: scopes,
    authorization_endpoint,
    token_endpoint,
    isOidc: isOidc || signs !== undefined || scopes?.includes('openid') === true,
    isIssuerKnown: true,
  };
}

function refuse(at: URL, why: string): BerthError {
  return new BerthError('remote_auth_discovery', `The authorization server cannot be used: ${why}.`, {
    at: { url: at.href },
    fix: 'Check --remote-auth-issuer, or name its endpoints with --remote-auth-authorize-url and --remote-auth-token-url.',
  });
}
