import { Cli } from 'clipanion';
import type { CommandEntry } from '../../../cli/command-table.ts';

/** One flag as the help prints it. */
export interface Flag {
  /** All its spellings, such as `-e` and `--env`. */
  readonly names: readonly string[];
  readonly takesValue: boolean;
  /** As the description says it; undefined when there is none. */
  readonly defaultValue: string | undefined;
  readonly description: string;
}

/** A command as its definition describes it. */
export interface CommandReference {
  readonly words: string;
  readonly category: string;
  readonly summary: string;
  /** Other words for it. */
  readonly aliases: readonly string[];
  readonly usage: string;
  readonly className: string;
  /** Paragraphs. */
  readonly details: readonly string[];
  readonly examples: readonly { readonly title: string; readonly line: string }[];
  readonly flags: readonly Flag[];
}

/** Loads every command of a table; those the help hides are told as other words for the one they are, if any. */
export async function readCommands(entries: readonly CommandEntry[]): Promise<CommandReference[]> {
  const loaded = await Promise.all(entries.map(async (entry) => ({ entry, command: await entry.load() })));
  return loaded
    .filter(({ entry }) => !entry.isHidden)
    .map(({ entry, command }) => {
      const words = entry.path.join(' ');
      const definition = Cli.from([command], { binaryName: 'berth' })
        .definitions()
        .find(({ path }) => path === `berth ${words}` || path === words);
      if (!definition) throw new TypeError(`the command ${words} has no definition`);
      const usage = command.usage;
      return {
        words,
        category: entry.category,
        summary: entry.summary,
        aliases: loaded
          .filter((other) => other.entry !== entry && other.command === command)
          .map((other) => other.entry.path.join(' ')),
        usage: definition.usage,
        className: command.name,
        details: readParagraphs(usage?.details ?? ''),
        examples: (usage?.examples ?? []).map(([title, line]) => ({
          title,
          line: line.replaceAll('$0', 'berth'),
        })),
        flags: definition.options.map(readFlag),
      };
    });
}

function readParagraphs(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '');
}

function readFlag({ definition, description = '' }: { definition: string; description?: string }): Flag {
  const said = description.replace(/\s+/g, ' ').trim();
  const fallback = /\s*\(default: (.*)\)$/.exec(said);
  return {
    names: definition.split('#')[0]?.match(/--?[a-zA-Z][\w-]*/g) ?? [],
    takesValue: definition.includes('#'),
    defaultValue: fallback?.[1],
    description: fallback ? said.slice(0, fallback.index) : said,
  };
}
