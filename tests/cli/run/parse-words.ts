import { Cli } from 'clipanion';
import { prepareWords } from '../../../cli/prepare-words.ts';
import type { RunFlags } from '../../../cli/run/flags/run-flags.ts';
import { parseRunFlags } from '../../../cli/run/parse-run-flags.ts';
import { RunOptions } from '../../../cli/run/run-options.ts';

class ParsedRun extends RunOptions {
  static override paths = [['run']];

  async execute(): Promise<number> {
    return 0;
  }
}

/** The command that words of `berth run` are read into, flags not yet checked. */
export function readRunWords(words: readonly string[]): RunOptions {
  const command = Cli.from([ParsedRun]).process([...prepareWords(ParsedRun, ['run', ...words])]);
  if (command instanceof ParsedRun) return command;
  throw new TypeError('the words were read as something else');
}

/** The flags of a command line of `berth run`. */
export async function parseWords(words: readonly string[], cwd: string): Promise<RunFlags> {
  return parseRunFlags(readRunWords(words), { cwd });
}

/** The flags of `run img …`. */
export function parseFlags(words: readonly string[], cwd: string): Promise<RunFlags> {
  return parseWords(['img', ...words], cwd);
}
