import type { FoundCommand } from './find-command.ts';
import { UsageError } from './usage-error.ts';

/** The error for words that name no command. */
export function explainWords(found: Exclude<FoundCommand, { kind: 'command' }>): UsageError {
  if (found.kind === 'group') {
    const names = found.entries.map(({ path }) => `berth ${path.join(' ')}`);
    return new UsageError(`"berth ${found.name}" needs one more word.`, {
      fix: `Use ${names.join(' or ')}.`,
    });
  }
  const guess = found.nearest === undefined ? '' : `Did you mean "berth ${found.nearest}"? `;
  return new UsageError(`There is no command "berth ${found.word}".`, {
    fix: `${guess}See berth --help for all of them.`,
  });
}
