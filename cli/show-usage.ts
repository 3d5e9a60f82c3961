import type { Cli, CommandClass } from 'clipanion';

/** The help of one command. Its options take a VALUE, where the parser's own text says `#0`. */
export function showUsage(cli: Cli, commandClass: CommandClass, colored: boolean): string {
  const text = cli.usage(commandClass, { colored, detailed: true });
  return `${text.trimEnd().split('\n').map(nameValue).join('\n')}\n`;
}

function nameValue(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the option may be printed in bold
  const isOption = /^ {2}(?:\u001b\[1m)?-/.test(line);
  // What other options are short of keeps the descriptions in one column.
  if (isOption && !line.includes('#0')) return line.replace(' '.repeat(4), ' '.repeat(7));
  return line.replaceAll('#0', 'VALUE');
}
