import { suggestName } from '../../../sources/config/nearest-name.ts';
import { BerthError } from '../../../sources/errors.ts';
import type { ToolsPlan } from '../plan.ts';

/**
 * Checks `--tools` against the tools an entry lists, by the names clients see: after `--tools-override`.
 * @param listed undefined: the entry lists none, so that nothing is known
 * @throws BerthError `tool_unknown`
 */
export function checkTools({ allow, override }: ToolsPlan, listed: readonly string[] | undefined): void {
  if (allow === undefined || listed === undefined || listed.length === 0) return;
  const seen = listed.map((tool) => override?.[tool]?.name ?? tool);
  const unknown = allow.filter((tool) => !seen.includes(tool));
  const [first] = unknown;
  if (first === undefined) return;
  throw new BerthError(
    'tool_unknown',
    `The entry lists no tool ${unknown.map((tool) => `"${tool}"`).join(', ')}.`,
    { at: { flag: '--tools' }, fix: suggestName(first, seen) ?? `It lists ${seen.join(', ')}.` },
  );
}
