import {
  imageOf,
  packageOf,
  RUN_ORDER,
  type ServerPackage,
  type ServerRemote,
} from '../../../../sources/model/package-reference.ts';
import type { PlainObject } from '../../../../sources/model/plain-object.ts';
import type { ServerJson } from '../../../../sources/model/server-json.ts';
import { objectsIn, textOf, textsIn } from '../read-item.ts';
import {
  type Argument,
  type KeyValue,
  readArguments,
  readParts,
  readTemplate,
  type ValueParts,
} from './value-parts.ts';

export interface NamedValue {
  readonly name: string;
  readonly parts: ValueParts;
}

/** How a client that is not `berth run` reaches a server: over HTTP, or by starting a command. */
export type Launch =
  | {
      readonly kind: 'remote';
      readonly type: 'http' | 'sse';
      readonly url: ValueParts;
      readonly headers: readonly NamedValue[];
    }
  | {
      readonly kind: 'local';
      readonly command: 'docker' | 'npx' | 'uvx';
      readonly args: readonly ValueParts[];
      readonly env: readonly NamedValue[];
    };

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The easiest way to a server: a remote one, else the first package on standard streams in the order of `berth run`.
 * @param block what the publisher says of it
 * @returns undefined when there is none, or when a name in it is none
 */
export function planLaunch(server: ServerJson, block: PlainObject): Launch | undefined {
  const remotes = server.remotes ?? [];
  const remote = remotes.find(({ type }) => type === 'streamable-http') ?? remotes[0];
  const local = RUN_ORDER.map((type) =>
    server.packages?.find((one) => one.registryType === type && one.transport.type === 'stdio'),
  ).find((one) => one !== undefined);
  const launch = remote ? planRemote(remote) : local && planLocal(local, block);
  if (!launch) return undefined;
  const [values, pattern] =
    launch.kind === 'remote' ? [launch.headers, HEADER_NAME] : [launch.env, VARIABLE_NAME];
  return values.every(({ name }) => pattern.test(name)) ? launch : undefined;
}

function planRemote({ type, url, variables, headers }: ServerRemote): Launch {
  return {
    kind: 'remote',
    type: type === 'sse' ? 'sse' : 'http',
    url: readTemplate(url, variables) ?? [url],
    headers: nameValues(headers ?? []),
  };
}

function planLocal(chosen: ServerPackage, block: PlainObject): Launch | undefined {
  // A client would take it for an option.
  if (chosen.identifier.startsWith('-')) return undefined;
  const own = readArguments(chosen.packageArguments ?? []);
  const args = own.length > 0 ? own : textsIn(block.args).map((word) => [word]);
  const described = chosen.environmentVariables ?? [];
  const env = nameValues([...described, ...listMore(block, described)]);
  const runtime = chosen.runtimeArguments ?? [];
  if (chosen.registryType === 'oci') {
    const names = env.flatMap(({ name }) => [['-e'], [name]]);
    const options = [['run'], ['-i'], ['--rm'], ...names, ...listEngineOptions(runtime)];
    return { kind: 'local', command: 'docker', args: [...options, [imageOf(chosen)], ...args], env };
  }
  const hint = chosen.runtimeHint;
  const command = hint === 'npx' || hint === 'uvx' ? hint : chosen.registryType === 'pypi' ? 'uvx' : 'npx';
  const yes = command === 'npx' ? [['-y']] : [];
  const options = readArguments(runtime).filter((word) => !/^(?:-y|--yes)$/.test(word.join('')));
  return { kind: 'local', command, args: [...yes, ...options, [packageOf(chosen)], ...args], env };
}

/**
 * What an entry may have `docker run` do besides: set variables, and mount what its user names. The rest, such as
 * privileges and the host's network, is for the user to add.
 */
function listEngineOptions(runtime: readonly Argument[]): ValueParts[] {
  return runtime.flatMap((argument): ValueParts[] => {
    const [name, value] = readArguments([argument]);
    const option = name?.join('') ?? '';
    if (argument.type !== 'named' || !value) return [];
    if (/^(?:-e|--env)$/.test(option)) return [[option], value];
    const isOfUser = typeof value[0] === 'object';
    return /^(?:-v|--volume)$/.test(option) && isOfUser ? [[option], value] : [];
  });
}

/** Variables that only the publisher's block tells of. */
function listMore({ env_vars: more }: PlainObject, described: readonly KeyValue[]): KeyValue[] {
  return objectsIn(more).flatMap((one): KeyValue[] => {
    const name = textOf(one.name);
    if (name === undefined || described.some((known) => known.name === name)) return [];
    const [description, preset] = [textOf(one.description), textOf(one.default)];
    return [
      {
        name,
        isRequired: one.required === true,
        isSecret: one.secret === true,
        ...(description === undefined ? {} : { description }),
        ...(preset === undefined ? {} : { default: preset }),
      },
    ];
  });
}

function nameValues(described: readonly KeyValue[]): NamedValue[] {
  return described.flatMap((one) => {
    const parts = readParts(one.name, one);
    return parts ? [{ name: one.name, parts }] : [];
  });
}
