import { OidcOptions } from './oidc-options.ts';
import { listOption, switchOption, textOption } from './option-kinds.ts';

/** How the proxy authenticates at a remote server (specification 5.2). */
export abstract class RemoteAuthOptions extends OidcOptions {
  remoteAuth = switchOption('--remote-auth', 'log in at the remote server by OAuth (default: false)');
  remoteAuthIssuer = textOption('--remote-auth-issuer', 'issuer to log in at');
  remoteAuthAuthorizeUrl = textOption(
    '--remote-auth-authorize-url',
    'authorization endpoint of a server without OIDC',
  );
  remoteAuthTokenUrl = textOption('--remote-auth-token-url', 'token endpoint of a server without OIDC');
  remoteAuthClientId = textOption('--remote-auth-client-id', 'client id (default: one is registered)');
  remoteAuthClientSecret = textOption('--remote-auth-client-secret', 'secret of the client');
  remoteAuthClientSecretFile = textOption('--remote-auth-client-secret-file', 'file with that secret');
  remoteAuthBearerToken = textOption('--remote-auth-bearer-token', 'fixed bearer token instead of OAuth');
  remoteAuthBearerTokenFile = textOption('--remote-auth-bearer-token-file', 'file with that token');
  remoteAuthScopes = listOption(
    '--remote-auth-scopes',
    'scopes to ask for; repeatable or comma-separated (default with OIDC: openid,profile,email)',
  );
  remoteAuthScopeParamName = textOption(
    '--remote-auth-scope-param-name',
    'name of the scope parameter in the authorization URL',
  );
  remoteAuthResource = textOption('--remote-auth-resource', 'resource indicator (default: the remote URL)');
  remoteAuthCallbackPort = textOption(
    '--remote-auth-callback-port',
    'port the login comes back to (default: 8666)',
  );
  remoteAuthSkipBrowser = switchOption(
    '--remote-auth-skip-browser',
    'print the link and open no browser (default: false)',
  );
  remoteAuthTimeout = textOption('--remote-auth-timeout', 'how long the login may take (default: 30s)');
  remoteForwardHeaders = listOption(
    '--remote-forward-headers',
    'header added to requests to the remote server, as Name=Value; repeatable',
  );
  remoteForwardHeadersSecret = listOption(
    '--remote-forward-headers-secret',
    'header whose value is a secret of the store, as Name=secret-name; repeatable',
  );
}
