import { anchorOf, escapeText, renderCode } from '../markdown/escape-text.ts';
import { renderTable } from '../markdown/table.ts';
import type { Program } from '../source-code/load-program.ts';
import { readClassChain } from './read-class-chain.ts';
import type { CommandReference, Flag } from './read-command.ts';

/** A chain of classes is worth headings of its own from this many flags on. */
const MANY_FLAGS = 20;

/** A command as blocks of Markdown, below a heading of this depth. */
export function renderCommand(command: CommandReference, program: Program, depth = '##'): string[] {
  const { words, summary, aliases, usage, details, examples, className } = command;
  const chain = readClassChain(program, className);
  const rest = chain.map((one) => one.rest).find((name) => name !== undefined);
  const named = rest === undefined ? usage : usage.replace('...', `[${rest}]…`);
  return [
    depth === '' ? '' : `${depth} ${renderCode(`berth ${words}`)}`,
    `${escapeText(summary)}.`,
    `\`\`\`text\n${named}\n\`\`\``,
    aliases.length === 0 ? '' : `Also ${aliases.map((alias) => renderCode(`berth ${alias}`)).join(', ')}.`,
    ...details.map(escapeText),
    ...(examples.length === 0 ? [] : [renderExamples(examples)]),
    ...renderFlags(command, chain),
  ];
}

function renderExamples(examples: CommandReference['examples']): string {
  const lines = examples.map(({ title, line }) => `# ${title}\n${line}`);
  return `\`\`\`sh\n${lines.join('\n\n')}\n\`\`\``;
}

function renderFlags({ words, flags }: CommandReference, chain: ReturnType<typeof readClassChain>): string[] {
  if (flags.length < MANY_FLAGS) return [renderFlagTable(words, flags)];
  const groups = chain
    .map(({ comment, flags: names }) => ({
      comment,
      flags: flags.filter((flag) => flag.names.some((name) => names.includes(name))),
    }))
    .filter((group) => group.flags.length > 0)
    .reverse();
  const grouped = groups.flatMap((group) => group.flags);
  const others = flags.filter((flag) => !grouped.includes(flag));
  return [...groups, { comment: 'Other flags.', flags: others }].flatMap((group) =>
    group.flags.length === 0
      ? []
      : [`## ${escapeText(group.comment.replace(/\.$/, ''))}`, renderFlagTable(words, group.flags)],
  );
}

function renderFlagTable(words: string, flags: readonly Flag[]): string {
  const sorted = [...flags].sort((a, b) => (longName(a) < longName(b) ? -1 : 1));
  return renderTable(
    ['Flag', 'Meaning'],
    sorted.map((flag) => {
      const { names, takesValue, description, defaultValue } = flag;
      const written = renderCode(`${names.join(', ')}${takesValue ? ' VALUE' : ''}`);
      const fallback = defaultValue === undefined ? '' : `<br>default: ${escapeText(defaultValue)}`;
      return [
        `<span id="${anchorOf(words)}${longName(flag)}"></span>${written}`,
        `${escapeText(description)}${fallback}`,
      ];
    }),
  );
}

function longName({ names }: Flag): string {
  return names.find((name) => name.startsWith('--')) ?? names[0] ?? '';
}
