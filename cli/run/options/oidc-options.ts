import { listOption, switchOption, textOption } from './option-kinds.ts';
import { TelemetryOptions } from './telemetry-options.ts';

/** Which tokens the proxy accepts (specification 5.1). */
export abstract class OidcOptions extends TelemetryOptions {
  oidcIssuer = textOption('--oidc-issuer', 'issuer whose tokens clients must send');
  oidcAudience = textOption('--oidc-audience', 'audience the tokens must be for');
  oidcClientId = textOption('--oidc-client-id', 'client that asks the introspection endpoint');
  oidcClientSecret = textOption('--oidc-client-secret', 'secret of that client');
  oidcJwksUrl = textOption('--oidc-jwks-url', 'where the signing keys are, without discovery');
  oidcIntrospectionUrl = textOption('--oidc-introspection-url', 'introspection endpoint for opaque tokens');
  oidcScopes = listOption(
    '--oidc-scopes',
    'scopes told to clients; repeatable or comma-separated (default: openid)',
  );
  oidcInsecureAllowHttp = switchOption(
    '--oidc-insecure-allow-http',
    'accept an issuer without https, for tests (default: false)',
  );
  jwksAllowPrivateIp = switchOption(
    '--jwks-allow-private-ip',
    'reach JWKS and OIDC endpoints on private addresses (default: false)',
  );
  jwksAuthTokenFile = textOption(
    '--jwks-auth-token-file',
    'file with a bearer token for JWKS and OIDC requests',
  );
  resourceUrl = textOption('--resource-url', 'resource of the discovery document (default: the client URL)');
}
