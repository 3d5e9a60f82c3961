import type { AuthorizationServer } from 'oauth4webapi';
import type { ProviderConfig } from '../../../sources/config/schema.ts';
import { BerthError } from '../../../sources/errors.ts';
import { isLoopbackName } from '../../../sources/net/address-guard.ts';

/**
 * Checks what a provider says about itself before anybody is sent there: the configured issuer byte for byte, the
 * endpoints of a sign-in, and PKCE with S256 when it says what it does.
 * @throws BerthError `provider_metadata`
 */
export function checkMetadata(server: AuthorizationServer, provider: ProviderConfig): AuthorizationServer {
  const {
    issuer,
    authorization_endpoint,
    token_endpoint,
    code_challenge_methods_supported: methods,
  } = server;
  if (issuer !== provider.issuerUrl) throw refuse('names another issuer than issuerUrl');
  if (authorization_endpoint === undefined || token_endpoint === undefined) {
    throw refuse('names no authorization or token endpoint');
  }
  if (methods !== undefined && !methods.includes('S256')) throw refuse('does not offer PKCE with S256');
  for (const endpoint of [authorization_endpoint, server.end_session_endpoint]) {
    if (endpoint !== undefined && !isSecure(endpoint, provider)) {
      throw refuse('would have people sign in, or out, at an address that is not https');
    }
  }
  return server;
}

/** People are sent there, with what they type: plain http only to loopback, or where the configuration accepts it. */
function isSecure(endpoint: string, { insecureAllowHttp }: ProviderConfig): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'https:' || (protocol === 'http:' && (insecureAllowHttp || isLoopbackName(hostname)));
}

function refuse(what: string): BerthError {
  return new BerthError('provider_metadata', `The metadata of the identity provider ${what}.`, {
    fix: 'Correct issuerUrl in auth.oauth.providers, or the provider.',
  });
}
