import { BerthError, messageOf } from '../../../sources/errors.ts';
import type { RegistryClient, RegistryEntry } from '../../registry/registry-client.ts';
import { checkTools } from '../entry/check-tools.ts';
import type { MissingInput } from '../entry/input.ts';
import { type PlannedEntry, planEntry } from '../entry/plan-entry.ts';
import { refuseMissing } from '../entry/refuse-missing.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { composePlan, findIdleFlags } from './compose-plan.ts';
import { isSurelyImage, readImageReference } from './image-reference.ts';
import { resolveImage } from './resolve-image.ts';
import type { Resolved } from './resolved.ts';

/** Asks the user for values, hidden when they are secret; the answers by name. */
export type AskInputs = (missing: readonly MissingInput[]) => Promise<ReadonlyMap<string, string>>;

export interface RegistryContext {
  readonly cwd: string;
  readonly openRegistry: () => Promise<RegistryClient>;
  /** Absent without a terminal: what is missing is an error then. */
  readonly askInputs?: AskInputs | undefined;
}

const ENVIRONMENT_FLAGS = ['--env', '--env-file', '--env-file-dir', '--secret'];

/**
 * A name of the registry; what is none is tried as an image when it can be one, and a registry that is away is no
 * obstacle to that (contract 2).
 * @throws BerthError `server_unknown`, `server_ambiguous`, `registry_*`, and those of `planEntry`
 */
export async function resolveName(
  argument: string,
  flags: RunFlags,
  context: RegistryContext,
): Promise<Resolved> {
  const { name, version } = readServerName(argument);
  const reference = readImageReference(argument);
  const canBeImage = reference !== undefined;
  let registry: RegistryClient;
  let found: Awaited<ReturnType<RegistryClient['find']>>;
  try {
    registry = await context.openRegistry();
    found = await registry.find(name, version);
  } catch (error) {
    if (!canBeImage || !(error instanceof BerthError)) throw error;
    // A registry that refuses us is not away, and may know the name: a stranger's image of that name is not run for it.
    if (error.code === 'registry_refused' && !isSurelyImage(reference)) throw error;
    return tryAsImage(
      argument,
      flags,
      `the registry could not be asked (${messageOf(error)})`,
      [],
      [`The registry could not be asked, so ${argument} is tried as an image. ${oneLine(error)}`],
    );
  }
  if (found.kind === 'found') return resolveEntry(found.entry, registry.location, flags, context);
  if (found.kind === 'ambiguous') {
    throw new BerthError('server_ambiguous', `"${name}" may be ${found.names.join(' or ')}.`, {
      fix: 'Give the whole name.',
    });
  }
  if (found.versions !== undefined) {
    throw new BerthError('version_unknown', `The registry has no version ${version} of ${name}.`, {
      fix: `It has ${found.versions.slice(0, 10).join(', ')}.`,
    });
  }
  const answer = `the registry ${registry.location} has no server "${name}"`;
  if (canBeImage) return tryAsImage(argument, flags, answer, found.nearest, []);
  throw refuseUnknown(argument, `${answer}; it cannot be an image either`, found.nearest);
}

/** `name@version`; what follows the `@` of an image is no version. */
export function readServerName(argument: string): { readonly name: string; readonly version?: string } {
  const at = argument.lastIndexOf('@');
  return at < 1 ? { name: argument } : { name: argument.slice(0, at), version: argument.slice(at + 1) };
}

function tryAsImage(
  argument: string,
  flags: RunFlags,
  registryAnswer: string,
  nearest: readonly string[],
  warnings: readonly string[],
): Resolved {
  const resolved = resolveImage(argument, flags);
  return {
    ...resolved,
    warnings: [...warnings, ...resolved.warnings],
    onImageMissing: (imageAnswer) =>
      refuseUnknown(argument, `${registryAnswer}; as an image: ${imageAnswer.replace(/\.$/, '')}`, nearest),
  };
}

function refuseUnknown(argument: string, why: string, nearest: readonly string[]): BerthError {
  return new BerthError(
    'server_unknown',
    `"${argument}" cannot be run: ${why}.`,
    nearest.length === 0
      ? { fix: 'Look with `berth registry search`.' }
      : { fix: `Did you mean ${nearest.map((name) => `"${name}"`).join(' or ')}?` },
  );
}

async function resolveEntry(
  entry: RegistryEntry,
  registry: string,
  flags: RunFlags,
  { cwd, askInputs }: RegistryContext,
): Promise<Resolved> {
  const plan = (answers: ReadonlyMap<string, string>) => planEntry(entry, { registry, flags, answers, cwd });
  let planned = plan(new Map());
  checkTools(flags.tools, planned.tools);
  if (planned.missing.length > 0) {
    const answers = await askInputs?.(planned.missing);
    if (answers !== undefined) planned = plan(answers);
    if (planned.missing.length > 0) throw refuseMissing(`${entry.name} ${entry.version}`, planned.missing);
  }
  return toResolved(planned, flags);
}

function toResolved(
  { choice, secretEnv, secretHeaders, usedUp, warnings }: PlannedEntry,
  flags: RunFlags,
): Resolved {
  // What went into a template, and what is a secret, does not stand in the environment besides.
  const gone = new Set([...usedUp, ...Object.keys(secretEnv)]);
  const env = Object.fromEntries(Object.entries(flags.env).filter(([name]) => !gone.has(name)));
  const used = usedUp.length > 0 ? ENVIRONMENT_FLAGS : [];
  return {
    plan: composePlan(choice, { ...flags, env }),
    nameIsDerived: flags.name === undefined,
    given: { ...flags.given, env: { ...secretEnv }, headers: secretHeaders },
    warnings: [...warnings, ...findIdleFlags(choice.server, flags, used)],
  };
}

function oneLine(error: unknown): string {
  return messageOf(error).replaceAll(/\s*\n\s*/g, ' ');
}
