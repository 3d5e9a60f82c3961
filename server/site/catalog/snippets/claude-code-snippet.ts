import type { Launch, NamedValue } from './plan-launch.ts';
import { isFitToCopy, quoteWord } from './quote-word.ts';
import type { ValueParts } from './value-parts.ts';

/**
 * The `claude mcp add` command for a server; values of the user stand as `YOUR_…`.
 * @returns undefined when the entry holds what a shell or Claude Code would put other things in for (`${NAME}`)
 */
export function writeClaudeCode(name: string, launch: Launch): string | undefined {
  const words: ValueParts[] =
    launch.kind === 'remote'
      ? [
          ...[['--transport'], [launch.type], [name], launch.url],
          ...listOptions('--header', ': ', launch.headers),
        ]
      : [
          // Before another option, because `--env` takes all words up to one.
          ...listOptions('--env', '=', launch.env),
          ...[['--transport'], ['stdio'], [name], ['--'], [launch.command]],
          ...launch.args,
        ];
  const texts = words.map((parts) => parts.map(writePart).join(''));
  const isFit = texts.every((text) => isFitToCopy(text) && !text.includes('${'));
  return isFit ? `claude mcp add ${texts.map(quoteWord).join(' ')}` : undefined;
}

function listOptions(option: string, between: string, values: readonly NamedValue[]): ValueParts[] {
  return values.flatMap(({ name, parts }) => [[option], [`${name}${between}`, ...parts]]);
}

function writePart(part: ValueParts[number]): string {
  if (typeof part === 'string') return part;
  const name = part.name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
  return name === '' ? 'YOUR_VALUE' : `YOUR_${name}`;
}
