import type { Cli, CommandClass } from 'clipanion';
import { suggestName } from '../sources/config/nearest-name.ts';
import { UsageError } from './usage-error.ts';

/** Longer lines are not read. */
const MAX_SHAPE = 600;

/** Says in our words why the words of a command line were not understood; anything else is answered as it came. */
export function explainSyntax(
  error: unknown,
  words: readonly string[],
  cli: Cli,
  commandClass: CommandClass,
): unknown {
  if (!(error instanceof Error) || !('clipanion' in error)) return error;
  const shape = cli.usage(commandClass, { colored: false, prefix: '' }).trim();
  const usage = showShape(shape);
  const known = listOptions(cli);
  const unknown = listGivenOptions(words).find(
    (name) => !known.includes(name) && !known.includes(name.replace(/^--no-/, '--')),
  );
  if (unknown !== undefined) {
    const guess = suggestName(unknown, known);
    return new UsageError(`Unknown option ${unknown}.`, {
      fix: `${guess === undefined ? '' : `${guess} `}${usage}`,
    });
  }
  const missing = shape
    .match(/(?<=<)--?[a-z][\w-]*/gi)
    ?.find((name) => !listGivenOptions(words).includes(name));
  return new UsageError(
    missing === undefined ? firstLine(error.message) : `The option ${missing} is missing.`,
    { fix: usage },
  );
}

/** A command of many options is better read in its help than in a line. */
function showShape(shape: string): string {
  if (shape.length <= MAX_SHAPE) return `Usage: ${shape.replaceAll('#0', 'VALUE')}`;
  const name = shape.slice(0, shape.search(/ [[<]/));
  return `See ${name} --help.`;
}

function listOptions(cli: Cli): string[] {
  const definitions = cli.definitions().flatMap(({ options }) => options.map(({ definition }) => definition));
  return definitions.flatMap((definition) => definition.match(/(?<![\w-])--?[a-z][\w-]*/gi) ?? []);
}

function listGivenOptions(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  const own = end < 0 ? words : words.slice(0, end);
  return own.filter((word) => /^--?[a-z]/i.test(word)).map((word) => word.split('=', 1)[0] ?? word);
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n');
  return line.endsWith('.') ? line : `${line}.`;
}
