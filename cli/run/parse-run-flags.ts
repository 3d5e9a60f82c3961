import { resolve } from 'node:path';
import { readFormat } from '../common-options.ts';
import { UsageError } from '../usage-error.ts';
import { refuseFlag } from './flags/flag-error.ts';
import {
  isAllowedWithConfig,
  isBuildFlag,
  isContainerFlag,
  isRemoteFlag,
  listGivenFlags,
} from './flags/list-given-flags.ts';
import { parseContainerFlags } from './flags/parse-container-flags.ts';
import { parseEnvironmentFlags } from './flags/parse-environment-flags.ts';
import { parseImageFlags } from './flags/parse-image-flags.ts';
import { parseOidcFlags } from './flags/parse-oidc-flags.ts';
import { parseProxyFlags } from './flags/parse-proxy-flags.ts';
import { parseRemoteAuthFlags } from './flags/parse-remote-auth-flags.ts';
import { parseTelemetryFlags } from './flags/parse-telemetry-flags.ts';
import { parseTokenExchangeFlags } from './flags/parse-token-exchange-flags.ts';
import { readProfileFlag } from './flags/read-profile-flag.ts';
import { readToolsFlags } from './flags/read-tools-flags.ts';
import { readDuration, readSwitch, readText, readWhole } from './flags/read-values.ts';
import { readVolumes } from './flags/read-volumes.ts';
import type { CommandFlags, RunFlags } from './flags/run-flags.ts';
import { withoutAbsent } from './flags/without-absent.ts';
import { WORKLOAD_NAME } from './plan.ts';
import { readPolicyFiles } from './read-policy-files.ts';
import type { RunOptionValues } from './run-options.ts';

const DETACH_TIMEOUT_MS = 300_000;

/**
 * Checks every flag of `run` and reads the files they name; nothing else is touched, so that a mistake is found before
 * any side effect (contract 1).
 * @param options as given; `positionals` and `serverArgument` among them
 * @param world.cwd absolute directory that relative paths start from
 * @throws UsageError what cannot be understood (exit 2), BerthError what the world refuses, such as a missing file
 */
export async function parseRunFlags(
  options: RunOptionValues,
  { cwd }: { readonly cwd: string },
): Promise<RunFlags> {
  const flags = listGivenFlags(options);
  refuseWords(options);
  const command = parseCommandFlags(options, cwd);
  if (command.fromConfig !== undefined) refuseBesideConfig(options, flags);
  // What is only words comes before what needs files, so that a malformed flag is told first.
  const proxy = parseProxyFlags(options);
  const container = parseContainerFlags(options);
  const telemetry = parseTelemetryFlags(options);
  const remote = parseRemoteAuthFlags(options, cwd);
  const exchange = parseTokenExchangeFlags(options, cwd);
  const oidc = parseOidcFlags(options, cwd);
  const environment = parseEnvironmentFlags(options, cwd);
  const image = parseImageFlags(options, cwd);
  const policies = await readPolicyFiles(options, cwd);
  return {
    command,
    ...withoutAbsent({
      name: readName(options.name),
      group: readGroup(options.group),
      debug: readSwitch('--debug', options.debug),
      profile: readProfileFlag(options.permissionProfile, cwd),
      oidc: oidc.oidc,
    }),
    ...proxy,
    ...container,
    ...environment,
    ...image,
    ...policies,
    ...telemetry,
    ...remote,
    ...exchange,
    args: options.serverArgument ?? [],
    volumes: readVolumes(options.volume, cwd),
    tools: readToolsFlags(options, cwd),
    given: { ...oidc.given, ...remote.given, ...exchange.given, ...telemetry.given },
    containerFlags: flags.filter(isContainerFlag),
    remoteFlags: flags.filter(isRemoteFlag),
    buildFlags: flags.filter(isBuildFlag),
    warnings: [proxy, container, oidc, exchange, telemetry].flatMap(({ warnings }) => warnings),
  };
}

function parseCommandFlags(options: RunOptionValues, cwd: string): CommandFlags {
  const fromConfig = readText('--from-config', options.fromConfig);
  return {
    ...withoutAbsent({
      fromConfig: fromConfig === undefined ? undefined : resolve(cwd, fromConfig),
      package: readWhole('--package', options.package, 1, 1000, 'the number of a package'),
    }),
    foreground: readSwitch('--foreground', options.foreground) ?? false,
    format: readFormat(options.format ?? 'text', ['text', 'json']),
    detachTimeoutMs: readDuration('--detach-timeout', options.detachTimeout) ?? DETACH_TIMEOUT_MS,
    dryRun: readSwitch('--dry-run', options.dryRun) ?? false,
  };
}

function refuseWords({ positionals = [], fromConfig }: RunOptionValues): void {
  const [server, first] = positionals;
  if (first !== undefined) {
    throw new UsageError(`"${first}" is one word too many.`, {
      fix: 'Arguments of the server come after --.',
    });
  }
  if (fromConfig === undefined && (server === undefined || server === '')) {
    throw new UsageError('There is nothing to run.', {
      fix: 'Name a server of the registry, an image, npx://PACKAGE, uvx://PACKAGE, go://PACKAGE or a URL.',
    });
  }
}

function refuseBesideConfig(options: RunOptionValues, flags: readonly string[]): void {
  const others = [
    ...(options.positionals ?? []),
    ...flags.filter((flag) => !isAllowedWithConfig(flag)),
    ...(options.serverArgument === undefined ? [] : ['arguments after --']),
  ];
  if (others.length === 0) return;
  throw refuseFlag(
    '--from-config',
    `It cannot be given together with ${others.join(', ')}.`,
    'The file decides that; edit it, or leave --from-config out.',
  );
}

function readName(given: string | undefined): string | undefined {
  if (given === undefined || WORKLOAD_NAME.test(given)) return given;
  throw refuseFlag(
    '--name',
    `"${given}" cannot be the name of a workload.`,
    'Use 1 to 100 letters, digits, ".", "_" and "-", beginning with a letter or digit.',
  );
}

function readGroup(given: string | undefined): string | undefined {
  const group = readText('--group', given);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (group === undefined || !/[\u0000-\u001f\u007f/]/.test(group)) return group;
  throw refuseFlag('--group', `"${group}" cannot be the name of a group.`);
}
