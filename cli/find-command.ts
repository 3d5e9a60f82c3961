import { findNearestName } from '../sources/config/nearest-name.ts';
import { COMMANDS, type CommandEntry } from './command-table.ts';

export type FoundCommand =
  | { readonly kind: 'command'; readonly entry: CommandEntry }
  /** The words name a group such as `bundles`, whose commands these are. */
  | { readonly kind: 'group'; readonly name: string; readonly entries: readonly CommandEntry[] }
  | { readonly kind: 'unknown'; readonly word: string; readonly nearest: string | undefined };

/** The command that the words of a command line begin with. */
export function findCommand(
  words: readonly string[],
  commands: readonly CommandEntry[] = COMMANDS,
): FoundCommand {
  const entry = commands.find(({ path }) => path.every((word, at) => words[at] === word));
  if (entry) return { kind: 'command', entry };
  const [first = '', second] = words;
  const entries = commands.filter(({ path }) => path.length > 1 && path[0] === first);
  if (entries.length === 0) {
    const names = [...new Set(commands.map(({ path }) => path[0] ?? '')), 'help'];
    return { kind: 'unknown', word: first, nearest: findNearestName(first, names) };
  }
  if (second === undefined || second.startsWith('-')) return { kind: 'group', name: first, entries };
  const nearest = findNearestName(
    second,
    entries.map(({ path }) => path[1] ?? ''),
  );
  return {
    kind: 'unknown',
    word: `${first} ${second}`,
    nearest: nearest === undefined ? undefined : `${first} ${nearest}`,
  };
}
