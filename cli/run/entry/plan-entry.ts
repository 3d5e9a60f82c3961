import { BerthError } from '../../../sources/errors.ts';
import { keysOf, type ServerPackage, type ServerRemote } from '../../../sources/model/package-reference.ts';
import type { RegistryEntry } from '../../registry/registry-client.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { withoutAbsent } from '../flags/without-absent.ts';
import { deriveNameOfEntry } from '../modes/derive-name.ts';
import type { ServerChoice } from '../modes/server-choice.ts';
import { choosePackage } from './choose-package.ts';
import { chooseServer } from './choose-server.ts';
import { readEngineArguments } from './engine-arguments.ts';
import { fillArguments, toWords } from './fill-arguments.ts';
import { fillKeyValues } from './fill-key-values.ts';
import { fillTemplate, type GivenValues } from './fill-value.ts';
import type { MissingInput } from './input.ts';
import { readPublisherSettings } from './publisher-settings.ts';
import { readTarget } from './read-target.ts';

export interface EntryContext {
  /** URL or file of the registry. */
  readonly registry: string;
  readonly flags: RunFlags;
  /** What the user answered when asked. */
  readonly answers: ReadonlyMap<string, string>;
  readonly cwd: string;
}

/** What an entry of the registry and the user together say of the server. */
export interface PlannedEntry {
  readonly choice: ServerChoice;
  readonly missing: readonly MissingInput[];
  /** Secret values of environment variables and headers. */
  readonly secretEnv: Readonly<Record<string, string>>;
  readonly secretHeaders: Readonly<Record<string, string>>;
  /** Names the user gave by `-e` that the entry used up without having a variable of that name. */
  readonly usedUp: readonly string[];
  readonly tools?: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Turns an entry into a server: package, transport, arguments, environment, permissions (contract 2).
 * @throws BerthError `package_*`, `input_refused`, `argument_secret`, `entry_unusable`
 */
export function planEntry(entry: RegistryEntry, context: EntryContext): PlannedEntry {
  const chosen = choosePackage(entry.server, context.flags.command.package);
  const given = watchGiven(context);
  const planned =
    chosen.kind === 'remote'
      ? planRemote(entry, chosen.remote, context, given)
      : planPackage(entry, chosen.package, context, given);
  return { ...planned, warnings: [...describeStatus(entry), ...planned.warnings] };
}

function planRemote(
  entry: RegistryEntry,
  remote: ServerRemote,
  { registry, flags }: EntryContext,
  given: WatchedValues,
): PlannedEntry {
  const { plain = {}, secret = {} } = flags.forwardHeaders ?? {};
  const flagged = new Set([...Object.keys(plain), ...Object.keys(secret)].map((name) => name.toLowerCase()));
  const url = fillTemplate(remote.url, { isRequired: true, variables: remote.variables }, given);
  if (url.secret) throw refuseEntry(entry, 'its URL holds a secret, and URLs are kept and shown');
  const headers = fillKeyValues(remote.headers ?? [], 'header', given, (name) =>
    flagged.has(name.toLowerCase()),
  );
  const settings = readPublisherSettings(entry.meta, [remote.url, url.value ?? remote.url]);
  if (url.value !== undefined && !/^https?:\/\//i.test(url.value))
    throw refuseEntry(entry, 'its URL is none');
  return {
    choice: {
      derivedName: deriveNameOfEntry(entry.name),
      server: { kind: 'remote', url: url.value ?? remote.url },
      transport: remote.type,
      origin: { registry, name: entry.name, version: entry.version },
      headers: headers.plain,
      ...withoutAbsent({ proxyPort: settings.proxyPort, remoteAuth: settings.remoteAuth }),
    },
    missing: [...url.missing, ...headers.missing],
    secretEnv: {},
    secretHeaders: headers.secret,
    // The environment has nowhere else to go.
    usedUp: given.used(),
    ...withoutAbsent({ tools: settings.tools }),
    warnings: [],
  };
}

function planPackage(
  entry: RegistryEntry,
  chosen: ServerPackage,
  { registry, flags, cwd }: EntryContext,
  given: WatchedValues,
): PlannedEntry {
  const isImage = chosen.registryType === 'oci';
  const settings = readPublisherSettings(entry.meta, keysOf(chosen));
  const runtime = fillArguments(chosen.runtimeArguments ?? [], given);
  const engine = isImage
    ? readEngineArguments(runtime.filled, (text) => given.has(text), cwd)
    : { env: {}, volumes: [], warnings: [] };
  // Arguments after -- take the place of those of the entry.
  const own = flags.args.length > 0 ? [] : (chosen.packageArguments ?? []);
  const args = fillArguments(own, given);
  const described = chosen.environmentVariables ?? [];
  const variables = [
    ...described,
    ...settings.env.filter(({ name }) => !described.some((known) => known.name === name)),
  ];
  const env = fillKeyValues(variables, 'variable', given, (name) => name in flags.secrets);
  const { transport } = chosen;
  const target =
    transport.type === 'stdio' ? {} : readTarget(transport.url, { ...env.plain, ...engine.env }, args.filled);
  const names = new Set(variables.map(({ name }) => name));
  return {
    choice: {
      derivedName: deriveNameOfEntry(entry.name),
      server: chooseServer(chosen, isImage ? [] : toWords(runtime.filled)),
      transport: transport.type,
      origin: { registry, name: entry.name, version: entry.version },
      args: args.filled.length > 0 ? toWords(args.filled) : (settings.args ?? []),
      target: { ...target, ...withoutAbsent({ port: settings.targetPort ?? target.port }) },
      env: { ...engine.env, ...env.plain },
      volumes: engine.volumes,
      ...withoutAbsent({
        proxyPort: settings.proxyPort,
        profile: settings.profile,
        provenance: settings.provenance,
      }),
    },
    missing: [...env.missing, ...runtime.missing, ...args.missing],
    secretEnv: env.secret,
    secretHeaders: {},
    usedUp: given.used().filter((name) => !names.has(name)),
    ...withoutAbsent({ tools: settings.tools }),
    warnings: [...settings.warnings, ...engine.warnings],
  };
}

interface WatchedValues extends GivenValues {
  /** Names that were asked for and given. */
  used(): string[];
  /** Whether a value the user gave is this text. */
  has(value: string): boolean;
}

function watchGiven({ flags, answers }: EntryContext): WatchedValues {
  const used = new Set<string>();
  const find = (name: string) => flags.env[name] ?? answers.get(name);
  return {
    get: (name) => {
      const value = find(name);
      if (value !== undefined) used.add(name);
      return value;
    },
    used: () => [...used],
    has: (value) => [...used].some((name) => find(name) === value),
  };
}

function describeStatus({ name, version, status, statusMessage }: RegistryEntry): string[] {
  if (status !== 'deprecated') return [];
  return [`${name} ${version} is deprecated${statusMessage === undefined ? '' : `: ${statusMessage}`}.`];
}

function refuseEntry({ name, version }: RegistryEntry, why: string): BerthError {
  return new BerthError('entry_unusable', `${name} ${version} cannot be run: ${why}.`, {
    fix: 'Choose another package with --package, or run the server in another way.',
  });
}
