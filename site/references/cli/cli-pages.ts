import { COMMANDS } from '../../../cli/command-table.ts';
import { anchorOf, escapeText, renderCode } from '../markdown/escape-text.ts';
import type { Page } from '../markdown/page.ts';
import { renderTable } from '../markdown/table.ts';
import type { Program } from '../source-code/load-program.ts';
import { type CommandReference, readCommands } from './read-command.ts';
import { renderCommand } from './render-command.ts';

/** A page of its own: it has more flags than all others together. */
const ALONE = 'run';

/** The reference of the command line: an overview, `berth run`, and a page for each group of the help. */
export async function renderCliPages(program: Program): Promise<Page[]> {
  const commands = await readCommands(COMMANDS);
  const categories = [...new Set(commands.map(({ category }) => category))];
  return [
    renderOverview(commands, categories),
    ...commands.filter(({ words }) => words === ALONE).map((command) => renderAlone(command, program)),
    ...categories.map((category, index) => renderGroup(category, commands, index + 3, program)),
  ];
}

function renderOverview(commands: readonly CommandReference[], categories: readonly string[]): Page {
  return {
    path: 'cli/index.md',
    title: 'Command line',
    description: 'Every command of berth in groups, and what their exit codes mean.',
    order: 1,
    blocks: [
      'Every command of `berth`, as `berth COMMAND --help` tells it.',
      ...categories.flatMap((category) => [
        `## ${category}`,
        renderTable(
          ['Command', 'What it does'],
          commands
            .filter((command) => command.category === category)
            .sort((a, b) => (a.words < b.words ? -1 : 1))
            .map((command) => [
              `[${renderCode(`berth ${command.words}`)}](${addressOf(command)})`,
              command.summary,
            ]),
        ),
      ]),
      '## Exit codes',
      renderTable(
        ['Code', 'Meaning'],
        [
          ['`0`', 'Done.'],
          ['`1`', 'Failed; standard error says why. See the [error codes](/docs/reference/error-codes/).'],
          [
            '`2`',
            'The command line was not understood: [`usage_invalid`](/docs/reference/error-codes/commands/#usage_invalid).',
          ],
          ['`129`, `130`, `143`', '`berth run` was ended by SIGHUP, SIGINT (Ctrl-C) or SIGTERM.'],
        ],
      ),
      'A command that gives its results codes of its own says so below its usage.',
    ],
  };
}

function renderAlone(command: CommandReference, program: Program): Page {
  return {
    path: `cli/${command.words}.md`,
    title: `berth ${command.words}`,
    description: `Every flag of berth ${command.words}, with its default.`,
    order: 2,
    blocks: [
      'A switch is also written `--flag=false` or `--no-flag`.',
      ...renderCommand(command, program, ''),
    ],
  };
}

function renderGroup(
  category: string,
  commands: readonly CommandReference[],
  order: number,
  program: Program,
): Page {
  const own = commands
    .filter((command) => command.category === category && command.words !== ALONE)
    .sort((a, b) => (a.words < b.words ? -1 : 1));
  return {
    path: `cli/${anchorOf(category)}.md`,
    title: category,
    description: `Commands of berth: ${own.map(({ words }) => words).join(', ')}.`,
    order,
    blocks: [
      `${own.length === 1 ? 'The command' : 'The commands'} of the group *${escapeText(category)}*.`,
      ...own.flatMap((command) => renderCommand(command, program)),
    ],
  };
}

function addressOf({ words, category }: CommandReference): string {
  if (words === ALONE) return `/docs/reference/cli/${words}/`;
  return `/docs/reference/cli/${anchorOf(category)}/#${anchorOf(`berth ${words}`)}`;
}
