import { Cli } from 'clipanion';
import { AI_CLIENTS } from '../clients/client-table.ts';
import { COMMANDS, type CommandEntry } from '../command-table.ts';

export interface CompletedFlag {
  /** All its spellings: `-e`, `--env`. */
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly description: string;
}

/** What a shell has to know of one command. */
export interface CompletedCommand {
  readonly path: readonly string[];
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** What its arguments are: names of workloads, these words, or files. */
  readonly words: 'workloads' | readonly string[] | undefined;
}

/** The shells there are scripts for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const OF_WORKLOADS = [
  'status',
  'logs',
  'stop',
  'start',
  'restart',
  'rm',
  'export',
  'mcp list',
  'mcp call',
  'proxy stdio',
];

/** Every command for people, with the options of its definition. */
export async function describeCommands(
  commands: readonly CommandEntry[] = COMMANDS,
): Promise<readonly CompletedCommand[]> {
  const shown = commands.filter(({ isHidden }) => !isHidden);
  return Promise.all(
    shown.map(async ({ path, summary, load }) => {
      const definitions = Cli.from([await load()]).definitions();
      const options = definitions.flatMap((definition) => definition.options);
      const help = { names: ['--help', '-h'], takesValue: false, description: 'show the help' };
      return {
        path,
        summary,
        flags: [...options.map(describeFlag), help],
        words: wordsOf(path.join(' ')),
      };
    }),
  );
}

function describeFlag({
  definition,
  description,
}: {
  definition: string;
  description?: string;
}): CompletedFlag {
  return {
    names: definition.split('#')[0]?.match(/--?[a-zA-Z][\w-]*/g) ?? [],
    takesValue: definition.includes('#'),
    description: (description ?? '').replace(/\s+/g, ' ').trim(),
  };
}

function wordsOf(command: string): CompletedCommand['words'] {
  if (OF_WORKLOADS.includes(command)) return 'workloads';
  if (command === 'client register' || command === 'client remove') return AI_CLIENTS.map(({ name }) => name);
  return command === 'completion' ? SHELLS : undefined;
}

/** The first words of the commands, each with what may follow it; the summary of a command of one word. */
export function groupByFirstWord(
  commands: readonly CompletedCommand[],
): ReadonlyMap<string, readonly CompletedCommand[]> {
  const groups = new Map<string, CompletedCommand[]>();
  for (const command of commands) {
    const [first = ''] = command.path;
    groups.set(first, [...(groups.get(first) ?? []), command]);
  }
  return groups;
}
