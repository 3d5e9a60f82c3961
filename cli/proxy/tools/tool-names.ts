import { BerthError } from '../../../sources/errors.ts';
import type { ToolsPlan } from '../../run/plan.ts';

/** Which tools there are for clients, and under which names (contract 5). */
export interface ToolNames {
  /** What a client sees of a tool of the server; undefined when it does not see it. */
  show(actual: string): { readonly name: string; readonly description: string | undefined } | undefined;
  /** The server's name for what a client calls; undefined when there is no such tool for it. */
  resolve(visible: string): string | undefined;
}

/**
 * @param plan names to allow as clients see them, overrides by the server's names
 * @throws BerthError `tools_override_invalid` for an empty name, or one that two tools would have
 */
export function createToolNames({ allow, override = {} }: ToolsPlan): ToolNames {
  const allowed = allow === undefined ? undefined : new Set(allow);
  const overrides = new Map(Object.entries(override));
  const actualOf = new Map<string, string>();
  for (const [actual, { name }] of overrides) {
    if (name === undefined || name === actual) continue;
    checkName(name, actual, actualOf.get(name) ?? (isKept(overrides.get(name)) ? name : undefined));
    actualOf.set(name, actual);
  }
  const isAllowed = (visible: string): boolean => allowed === undefined || allowed.has(visible);
  const isRenamed = (actual: string): boolean => (overrides.get(actual)?.name ?? actual) !== actual;
  return {
    show(actual) {
      const { name = actual, description } = overrides.get(actual) ?? {};
      // A tool whose name another one was given cannot be called, so it is not shown.
      if (name === actual && actualOf.has(actual)) return undefined;
      return isAllowed(name) ? { name, description } : undefined;
    },
    resolve(visible) {
      if (!isAllowed(visible)) return undefined;
      return actualOf.get(visible) ?? (isRenamed(visible) ? undefined : visible);
    },
  };
}

/** Whether a tool is overridden without getting another name. */
function isKept(override: { readonly name?: string | undefined } | undefined): boolean {
  return override !== undefined && override.name === undefined;
}

function checkName(name: string, actual: string, other: string | undefined): void {
  if (name !== '' && other === undefined) return;
  const what =
    name === ''
      ? `The override of the tool "${actual}" has an empty name.`
      : `The tools "${other}" and "${actual}" would both be called "${name}".`;
  throw new BerthError('tools_override_invalid', what, {
    at: { flag: '--tools-override' },
    fix: 'Give each tool a name of its own.',
  });
}
