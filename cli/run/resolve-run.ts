import { isTerminal } from '../is-colorful.ts';
import { openConfiguredRegistry } from '../registry/open-configured-registry.ts';
import type { Asking } from '../secrets/ask-hidden.ts';
import type { RunFlags } from './flags/run-flags.ts';
import type { Resolved } from './modes/resolved.ts';
import { resolvePlan } from './resolve-plan.ts';

/** The process `run` was called in. */
export interface RunWorld extends Asking {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * `resolvePlan` with what the user configured: the registry of the settings, and questions on the terminal when there is
 * one.
 * @throws UsageError, BerthError
 */
export function resolveRun(
  argument: string | undefined,
  flags: RunFlags,
  world: RunWorld,
): Promise<Resolved> {
  const asks = isTerminal(world.stdin) && isTerminal(world.stderr) && flags.command.format === 'text';
  return resolvePlan(argument, flags, {
    cwd: process.cwd(),
    openRegistry: () => openConfiguredRegistry({ ...world, caBundle: flags.caBundle }),
    askInputs: asks
      ? async (missing) => (await import('./ask-inputs.ts')).askInputs(missing, world)
      : undefined,
  });
}
