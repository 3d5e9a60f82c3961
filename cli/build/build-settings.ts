/** What the user configured for builds: `config set build-env` and `build-auth-file`. Only the builder stage sees it. */
export interface BuildSettings {
  /** Environment of the install step, such as GOPRIVATE or UV_INDEX_URL; may hold credentials. */
  readonly env: Readonly<Record<string, string>>;
  /** Contents of the files with credentials of private registries. */
  readonly authFiles: Readonly<Partial<Record<AuthFileName, string>>>;
  /** Proxy variables for every step that uses the network. */
  readonly proxies?: Readonly<Record<string, string>>;
}

export type AuthFileName = 'npmrc' | 'netrc' | 'pip.conf';

export const NO_BUILD_SETTINGS: BuildSettings = { env: {}, authFiles: {} };

const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'FTP_PROXY', 'NO_PROXY', 'ALL_PROXY'];

/** The proxy variables of an environment, in both cases; the engine takes them as build arguments that it keeps in no layer. */
export function readProxyVariables(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of PROXY_VARIABLES.flatMap((upper) => [upper, upper.toLowerCase()])) {
    const value = env[name];
    if (value) found[name] = value;
  }
  return found;
}
