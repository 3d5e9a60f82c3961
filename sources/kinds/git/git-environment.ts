import { isIPv6 } from 'node:net';
import type { GitAddress } from './git-address.ts';
import type { GitCredentials } from './git-credentials.ts';

/** Variables of the host that git may see: to find programs, keys, certificates and proxies. */
const inherited = [
  'PATH',
  'HOME',
  'USER',
  'TMPDIR',
  'SSH_AUTH_SOCK',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'CURL_CA_BUNDLE',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
];

/** Lead to credentials of the user Berth runs as; a source that is held to public addresses may not borrow them. */
const personal = new Set(['HOME', 'SSH_AUTH_SOCK']);

export interface GitEnvironmentInput {
  readonly address: GitAddress;
  readonly credentials: GitCredentials;
  /** Absolute path of the bare clone. */
  readonly gitDir: string;
  /** Absolute path of the only configuration file git reads besides the clone's own. */
  readonly configFile: string;
  /** Addresses the host may be connected at; anything when left out. */
  readonly pinned?: readonly string[];
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
}

/**
 * The whole environment git runs in. Secrets go here and nowhere else: neither on a command line nor in a file. The
 * configuration of the user and the system is left out, so that the result depends on Berth's configuration only.
 */
export function buildGitEnvironment(input: GitEnvironmentInput): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of inherited) {
    const value = input.hostEnvironment[name];
    if (value !== undefined && !(input.pinned && personal.has(name))) environment[name] = value;
  }
  const config = listConfig(input);
  Object.assign(environment, {
    LC_ALL: 'C',
    GIT_DIR: input.gitDir,
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: input.configFile,
    GIT_ALLOW_PROTOCOL: input.address.transport,
    GIT_CONFIG_COUNT: String(config.length),
  });
  for (const [index, [key, value]] of config.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  if (input.address.transport === 'ssh') environment.GIT_SSH_COMMAND = buildSshCommand(input);
  return environment;
}

function listConfig({ address, credentials, pinned }: GitEnvironmentInput): [string, string][] {
  // A garbage collection in the background would work in the clone while the next fetch does.
  const config: [string, string][] = [
    ['gc.autoDetach', 'false'],
    ['maintenance.autoDetach', 'false'],
  ];
  if (address.transport !== 'https' && address.transport !== 'http') return config;
  if (credentials.basic) {
    const { username, password } = credentials.basic;
    const pair = Buffer.from(`${username}:${password}`).toString('base64');
    config.push([`http.${new URL(address.url).origin}/.extraHeader`, `Authorization: Basic ${pair}`]);
  }
  if (pinned && address.host !== undefined) {
    const port = address.port ?? (address.transport === 'https' ? 443 : 80);
    const addresses = pinned.map((ip) => (isIPv6(ip) ? `[${ip}]` : ip)).join(',');
    config.push(
      ['http.curloptResolve', `${address.host}:${port}:${addresses}`],
      ['http.followRedirects', 'false'],
    );
  }
  return config;
}

function buildSshCommand({ address, credentials, pinned }: GitEnvironmentInput): string {
  const options = ['BatchMode=yes', 'StrictHostKeyChecking=accept-new', 'ConnectTimeout=20'];
  if (credentials.sshKeyFile !== undefined) options.push('IdentitiesOnly=yes');
  // Of the user's own ssh settings and keys nothing is lent to a source that is held to public addresses.
  const settings = pinned ? ['-F', 'none'] : [];
  if (pinned && credentials.sshKeyFile === undefined) options.push('IdentityFile=none', 'IdentityAgent=none');
  const [first] = pinned ?? [];
  if (first !== undefined) options.push(`HostName=${first}`, `HostKeyAlias=${address.host ?? first}`);
  const key = credentials.sshKeyFile === undefined ? [] : ['-i', quoteForShell(credentials.sshKeyFile)];
  return ['ssh', ...settings, ...key, ...options.flatMap((option) => ['-o', quoteForShell(option)])].join(
    ' ',
  );
}

/** One word for a POSIX shell: git hands GIT_SSH_COMMAND to `sh`. */
export function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
