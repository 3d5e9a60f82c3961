import { COMMANDS, type CommandEntry } from './command-table.ts';

/** The overview of commands, by category. */
export function printHelp(version: string, known: readonly CommandEntry[] = COMMANDS): string {
  const entries = known.filter(({ isHidden }) => !isHidden);
  const width = Math.max(...entries.map(({ path }) => path.join(' ').length));
  const lines = [`berth ${version}`, '', 'Usage: berth COMMAND [OPTIONS]'];
  for (const category of new Set(entries.map((entry) => entry.category))) {
    lines.push('', `${category}:`);
    for (const { path, summary } of entries.filter((entry) => entry.category === category)) {
      lines.push(`  ${path.join(' ').padEnd(width)}  ${summary}`);
    }
  }
  lines.push('', 'More about one of them: berth COMMAND --help');
  return `${lines.join('\n')}\n`;
}
