import type { RunFlags } from './flags/run-flags.ts';
import { isSurelyImage, readImageReference } from './modes/image-reference.ts';
import { resolveFromConfig } from './modes/resolve-from-config.ts';
import { resolveImage } from './modes/resolve-image.ts';
import { readScheme, resolveProtocol } from './modes/resolve-protocol.ts';
import { type RegistryContext, resolveName } from './modes/resolve-registry.ts';
import { resolveRemote } from './modes/resolve-remote.ts';
import type { Resolved } from './modes/resolved.ts';

/**
 * Chooses the mode (contract 2): exported configuration, URL, protocol scheme, name of the registry, image. The registry
 * is opened only when the argument may be a name of it.
 * @param argument absent with `--from-config` only
 * @returns with the warnings of the flags and of the mode
 * @throws UsageError, BerthError as the modes do
 */
export async function resolvePlan(
  argument: string | undefined,
  flags: RunFlags,
  context: RegistryContext,
): Promise<Resolved> {
  const resolved = await chooseMode(argument, flags, context);
  return { ...resolved, warnings: [...flags.warnings, ...resolved.warnings] };
}

async function chooseMode(
  argument: string | undefined,
  flags: RunFlags,
  context: RegistryContext,
): Promise<Resolved> {
  if (flags.command.fromConfig !== undefined) return resolveFromConfig(flags.command.fromConfig, flags);
  if (argument === undefined) throw new TypeError('an argument is missing that parseRunFlags checks');
  const scheme = readScheme(argument);
  if (scheme?.scheme === 'http' || scheme?.scheme === 'https') return resolveRemote(argument, flags);
  if (scheme !== undefined) return resolveProtocol(scheme, flags, context.cwd);
  const reference = readImageReference(argument);
  if (reference !== undefined && isSurelyImage(reference)) return resolveImage(argument, flags);
  return resolveName(argument, flags, context);
}
