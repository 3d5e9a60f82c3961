import { Readable, Writable } from 'node:stream';
import { runCommandLine } from '../../cli/run-command-line.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of standard output. */
  readonly lines: readonly string[];
}

/** Runs a command line inside this process, without a terminal. */
export async function runBerth(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const [out, err] = [collect(), collect()];
  const terminal = { stdin: Readable.from([]), stdout: out.stream, stderr: err.stream, env };
  const code = await runCommandLine(words, terminal);
  const stdout = out.text();
  return { code, stdout, stderr: err.text(), lines: stdout.trimEnd().split('\n') };
}

function collect() {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream, text: () => text };
}
