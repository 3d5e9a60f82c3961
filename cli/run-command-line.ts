import type { Readable, Writable } from 'node:stream';
import { explainWords } from './explain-words.ts';
import { findCommand } from './find-command.ts';
import { printHelp } from './print-help.ts';
import { type ErrorSink, reportError } from './report-error.ts';

/** What a command line needs of the process. */
export interface Terminal extends ErrorSink {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

const VERSION = process.env.BERTH_VERSION ?? '0.0.0';

/**
 * Runs one command line and answers the exit code: 0 done, 1 failed, 2 not understood (a command may give its results
 * codes of its own).
 * @param words without `node` and the script
 */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<number> {
  const [first] = words;
  if (first === undefined || first === '--help' || first === '-h') return show(terminal, printHelp(VERSION));
  const isVersion = first === 'version' && words.length === 1;
  if (first === '--version' || first === '-v' || isVersion) return show(terminal, `${VERSION}\n`);
  if (first === 'help') return runCommandLine([...words.slice(1), '--help'], terminal);

  const found = findCommand(words);
  if (found.kind === 'command') {
    const { runCommand } = await import('./run-command.ts');
    return runCommand(found.entry, words, terminal);
  }
  if (found.kind === 'group' && (words.includes('--help') || words.includes('-h'))) {
    return show(terminal, printHelp(VERSION, found.entries));
  }
  reportError(explainWords(found), terminal);
  return 2;
}

function show({ stdout }: Terminal, text: string): number {
  stdout.write(text);
  return 0;
}
