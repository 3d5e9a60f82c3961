import { Cli, type CommandClass } from 'clipanion';
import type { CommandEntry } from './command-table.ts';
import { explainSyntax } from './explain-syntax.ts';
import { isColorful } from './is-colorful.ts';
import { prepareWords } from './prepare-words.ts';
import { reportError } from './report-error.ts';
import type { Terminal } from './run-command-line.ts';
import { showUsage } from './show-usage.ts';
import { UsageError } from './usage-error.ts';

/** Loads a command, reads its words and runs it, or shows its help. Answers the exit code; never throws. */
export async function runCommand(
  entry: CommandEntry,
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    const commandClass = await entry.load();
    const colored = isColorful(terminal.stdout, terminal.env);
    const cli = Cli.from([commandClass], { binaryName: 'berth', enableColors: colored });
    if (asksForHelp(words)) {
      terminal.stdout.write(showUsage(cli, commandClass, colored));
      return 0;
    }
    return await readWords(cli, commandClass, words, terminal).validateAndExecute();
  } catch (error) {
    reportError(error, terminal);
    return error instanceof UsageError ? 2 : 1;
  }
}

function readWords(cli: Cli, commandClass: CommandClass, words: readonly string[], terminal: Terminal) {
  const { stdin, stdout, stderr, env } = terminal;
  try {
    return cli.process([...prepareWords(commandClass, words)], { stdin, stdout, stderr, env });
  } catch (error) {
    const end = words.indexOf('--');
    const own = end < 0 ? words : words.slice(0, end);
    throw explainSyntax(error, prepareWords(commandClass, own), cli, commandClass);
  }
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const own = end < 0 ? words : words.slice(0, end);
  return own.includes('--help') || own.includes('-h');
}
