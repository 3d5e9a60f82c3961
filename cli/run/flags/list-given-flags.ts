import type { RunOptionValues } from '../run-options.ts';

/** Members of a command that are no flags. */
const OTHERS = new Set(['positionals', 'serverArgument', 'cli', 'context', 'path', 'help']);

/** The flags that were given, by their long names, in the order of the help. */
export function listGivenFlags(options: RunOptionValues): string[] {
  return Object.entries(options)
    .filter(([name, value]) => value !== undefined && !OTHERS.has(name))
    .map(([name]) => flagOf(name));
}

/** `proxyPort` is `--proxy-port`. */
export function flagOf(property: string): string {
  return `--${property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

const ANYWHERE = [
  '--name',
  '--group',
  '--foreground',
  '--from-config',
  '--format',
  '--detach-timeout',
  '--debug',
  '--dry-run',
];

/** Flags that change nothing an exported configuration decides (contract 2). */
export function isAllowedWithConfig(flag: string): boolean {
  return ANYWHERE.includes(flag);
}

const CONTAINER = new Set(
  [
    'publish network isolateNetwork allowDockerGateway permissionProfile volume memory cpus readOnly label',
    'ignoreGlobally printResolvedOverlays env envFile envFileDir secret imageVerification targetHost targetPort',
  ].flatMap((names) => names.split(' ').map(flagOf)),
);
const BUILD = new Set(['runtimeImage', 'runtimeAddPackage', 'caCert'].map(flagOf));

export function isContainerFlag(flag: string): boolean {
  return CONTAINER.has(flag);
}

export function isBuildFlag(flag: string): boolean {
  return BUILD.has(flag);
}

export function isRemoteFlag(flag: string): boolean {
  return flag.startsWith('--remote-');
}
