import type { Plan, RemoteAuthPlan } from '../run/plan.ts';
import { type AuthorizationServer, findAuthorizationServer } from './find-authorization-server.ts';
import { findResourceMetadata } from './find-resource-metadata.ts';
import type { Challenge } from './read-challenge.ts';

/** What OpenID Connect providers are asked for unless the user says otherwise (specification 5.2). */
const OIDC_SCOPES = ['openid', 'profile', 'email'];

/** Where to log in, and what to ask for there. */
export interface LoginPlace {
  readonly server: AuthorizationServer;
  readonly scopes: readonly string[];
}

/**
 * Finds the authorization server of a remote server (contract 6): endpoints or issuer of the flags, else the metadata
 * of the resource, else (servers older than RFC 9728) the origin of the remote itself. Scopes are those of the flag,
 * of the challenge, of the metadata, or the OpenID Connect default.
 * @throws BerthError `remote_auth_*`
 */
export async function discoverLogin(
  url: URL,
  auth: RemoteAuthPlan,
  challenge: Challenge | undefined,
  fetch: typeof globalThis.fetch,
): Promise<LoginPlace> {
  const { authorizeUrl, tokenUrl, issuer } = auth;
  if (authorizeUrl !== undefined && tokenUrl !== undefined) {
    const server: AuthorizationServer = {
      issuer: issuer ?? new URL(tokenUrl).origin,
      authorization_endpoint: authorizeUrl,
      token_endpoint: tokenUrl,
      isOidc: false,
      isIssuerKnown: false,
    };
    return { server, scopes: auth.scopes ?? splitScopes(challenge) ?? [] };
  }
  const metadata = issuer === undefined ? await findResourceMetadata(fetch, url, challenge) : undefined;
  const server = await findAuthorizationServer(
    fetch,
    issuer ?? metadata?.authorization_servers?.[0] ?? url.origin,
  );
  const usual = server.isOidc ? OIDC_SCOPES : [];
  const scopes = auth.scopes ?? splitScopes(challenge) ?? metadata?.scopes_supported ?? usual;
  return { server, scopes };
}

/** The resource tokens are asked for (RFC 8707): the remote URL unless the user gave one (contract 8). */
export function chooseResource(plan: Plan, url: URL): string {
  if (plan.remoteAuth?.resource !== undefined) return plan.remoteAuth.resource;
  const resource = new URL(url);
  resource.hash = '';
  return resource.href;
}

function splitScopes(challenge: Challenge | undefined): readonly string[] | undefined {
  const scopes = challenge?.scope?.split(/\s+/).filter((scope) => scope !== '');
  return scopes === undefined || scopes.length === 0 ? undefined : scopes;
}
