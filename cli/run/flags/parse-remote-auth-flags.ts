import type { RunOptionValues } from '../run-options.ts';
import { refuseFlag } from './flag-error.ts';
import { readPlainHeaders, readSecretHeaders } from './read-forward-headers.ts';
import { readGivenSecret } from './read-given-secret.ts';
import { readDuration, readList, readPort, readSwitch, readText, readUrl } from './read-values.ts';
import type { RunFlags } from './run-flags.ts';
import { withoutAbsent } from './without-absent.ts';

type RemoteFlags = Pick<RunFlags, 'remoteAuth' | 'forwardHeaders' | 'given'>;

/** The flags of authentication at a remote server (specification 5.2). @throws UsageError, BerthError */
export function parseRemoteAuthFlags(options: RunOptionValues, cwd: string): RemoteFlags {
  refuseAlternatives(options);
  const given = withoutAbsent({
    remoteAuthClientSecret: readGivenSecret(
      '--remote-auth-client-secret',
      options.remoteAuthClientSecret,
      options.remoteAuthClientSecretFile,
      cwd,
    ),
    remoteAuthBearerToken: readGivenSecret(
      '--remote-auth-bearer-token',
      options.remoteAuthBearerToken,
      options.remoteAuthBearerTokenFile,
      cwd,
    ),
  });
  const parts = withoutAbsent({
    issuer: readUrl('--remote-auth-issuer', options.remoteAuthIssuer),
    authorizeUrl: readUrl('--remote-auth-authorize-url', options.remoteAuthAuthorizeUrl),
    tokenUrl: readUrl('--remote-auth-token-url', options.remoteAuthTokenUrl),
    clientId: readText('--remote-auth-client-id', options.remoteAuthClientId),
    scopes: readList('--remote-auth-scopes', options.remoteAuthScopes),
    scopeParamName: readText('--remote-auth-scope-param-name', options.remoteAuthScopeParamName),
    resource: readResource(options.remoteAuthResource),
    callbackPort: readPort('--remote-auth-callback-port', options.remoteAuthCallbackPort),
    skipBrowser: readSwitch('--remote-auth-skip-browser', options.remoteAuthSkipBrowser),
    timeoutMs: readDuration('--remote-auth-timeout', options.remoteAuthTimeout),
  });
  const wished = readSwitch('--remote-auth', options.remoteAuth);
  const implied = [parts.issuer, parts.authorizeUrl, parts.clientId, given.remoteAuthClientSecret];
  const enabled = wished ?? implied.some((part) => part !== undefined);
  const plain = readPlainHeaders(options.remoteForwardHeaders);
  const secret = readSecretHeaders(options.remoteForwardHeadersSecret);
  refuseTwice(plain, secret);
  const forwards = Object.keys(plain).length + Object.keys(secret).length > 0;
  const authenticates = enabled || Object.keys({ ...parts, ...given }).length > 0;
  return {
    ...(authenticates ? { remoteAuth: { enabled, ...parts } } : {}),
    ...(forwards ? { forwardHeaders: { plain, secret } } : {}),
    given,
  };
}

/** Endpoints instead of an issuer, a fixed token instead of OAuth: one of each pair (specification 5.2). */
function refuseAlternatives(options: RunOptionValues): void {
  const issuer = options.remoteAuthIssuer !== undefined;
  const authorize = options.remoteAuthAuthorizeUrl !== undefined;
  const token = options.remoteAuthTokenUrl !== undefined;
  if (issuer && (authorize || token)) {
    const other = authorize ? '--remote-auth-authorize-url' : '--remote-auth-token-url';
    throw refuseFlag('--remote-auth-issuer', `It cannot be given together with ${other}.`);
  }
  if (authorize !== token) {
    const [has, lacks] = authorize ? ['authorize', 'token'] : ['token', 'authorize'];
    throw refuseFlag(`--remote-auth-${has}-url`, `It needs --remote-auth-${lacks}-url too.`);
  }
  const bearer = options.remoteAuthBearerToken ?? options.remoteAuthBearerTokenFile;
  const oauth = [
    options.remoteAuthClientId,
    options.remoteAuthClientSecret,
    options.remoteAuthClientSecretFile,
  ];
  if (bearer !== undefined && (issuer || authorize || oauth.some((part) => part !== undefined))) {
    const flag = `--remote-auth-bearer-token${options.remoteAuthBearerToken === undefined ? '-file' : ''}`;
    throw refuseFlag(
      flag,
      'A fixed token takes the place of OAuth.',
      'Leave the flags of one of the two out.',
    );
  }
}

function refuseTwice(
  plain: Readonly<Record<string, string>>,
  secret: Readonly<Record<string, string>>,
): void {
  const names = Object.keys(plain).map((name) => name.toLowerCase());
  const twice = Object.keys(secret).find((name) => names.includes(name.toLowerCase()));
  if (twice === undefined) return;
  throw refuseFlag('--remote-forward-headers-secret', `${twice} is given by --remote-forward-headers too.`);
}

/** RFC 8707: an absolute URI without a fragment. */
function readResource(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (URL.canParse(given) && !given.includes('#') && !/\s/.test(given)) return given;
  throw refuseFlag('--remote-auth-resource', `"${given}" is not an absolute URI without a fragment.`);
}
