import type { RunOptionValues } from '../run-options.ts';
import { refuseFlag } from './flag-error.ts';
import { findNamedFile } from './read-files.ts';
import { readList, readSwitch, readText, readUrl } from './read-values.ts';
import type { RunFlags } from './run-flags.ts';
import { withoutAbsent } from './without-absent.ts';

/** What can tell whether a token is good; without one of them no token could be checked. */
const PROOFS = ['issuer', 'jwksUrl', 'introspectionUrl'] as const;

/** The flags of which tokens the proxy accepts (specification 5.1). @throws UsageError, BerthError */
export function parseOidcFlags(
  options: RunOptionValues,
  cwd: string,
): Pick<RunFlags, 'oidc' | 'given' | 'warnings'> {
  const insecureAllowHttp = readSwitch('--oidc-insecure-allow-http', options.oidcInsecureAllowHttp);
  const clientSecret = readText('--oidc-client-secret', options.oidcClientSecret);
  const oidc = withoutAbsent({
    issuer: readUrl('--oidc-issuer', options.oidcIssuer),
    audience: readText('--oidc-audience', options.oidcAudience),
    clientId: readText('--oidc-client-id', options.oidcClientId),
    jwksUrl: readUrl('--oidc-jwks-url', options.oidcJwksUrl),
    introspectionUrl: readUrl('--oidc-introspection-url', options.oidcIntrospectionUrl),
    scopes: readList('--oidc-scopes', options.oidcScopes),
    insecureAllowHttp,
    allowPrivateIp: readSwitch('--jwks-allow-private-ip', options.jwksAllowPrivateIp),
    authTokenFile: findNamedFile('--jwks-auth-token-file', options.jwksAuthTokenFile, cwd),
    resourceUrl: readUrl('--resource-url', options.resourceUrl),
  });
  const given = withoutAbsent({ oidcClientSecret: clientSecret });
  if (oidc.issuer?.startsWith('http:') && insecureAllowHttp !== true) {
    throw refuseFlag(
      '--oidc-issuer',
      `${oidc.issuer} is not https.`,
      'Use an https issuer, or --oidc-insecure-allow-http for tests.',
    );
  }
  if (PROOFS.some((proof) => oidc[proof] !== undefined)) return { oidc, given, warnings: [] };
  // Silence here would leave a proxy open that its owner takes for closed.
  const guarding = [
    ['--oidc-audience', oidc.audience],
    ['--oidc-client-id', oidc.clientId],
    ['--oidc-client-secret', clientSecret],
  ].find(([, value]) => value !== undefined);
  if (guarding !== undefined) {
    throw refuseFlag(
      String(guarding[0]),
      'Tokens cannot be checked with it alone.',
      'Give --oidc-issuer, --oidc-jwks-url or --oidc-introspection-url too.',
    );
  }
  const idle = Object.keys(oidc).length > 0;
  return {
    given: {},
    warnings: idle ? ['The flags of token validation have no effect without --oidc-issuer.'] : [],
  };
}
