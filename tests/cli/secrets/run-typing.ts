import { PassThrough, Readable, Writable } from 'node:stream';
import { runCommandLine } from '../../../cli/run-command-line.ts';

export interface Typed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line inside this process with something on standard input, piped or typed into a terminal. */
export async function runTyping(
  words: readonly string[],
  input: string,
  env: Readonly<Record<string, string>>,
  as: 'pipe' | 'terminal' = 'pipe',
): Promise<Typed> {
  const [out, err] = [collect(as), collect(as)];
  const stdin = as === 'pipe' ? Readable.from([Buffer.from(input)]) : createKeyboard(input);
  const code = await runCommandLine(words, { stdin, stdout: out.stream, stderr: err.stream, env });
  return { code, stdout: out.text(), stderr: err.text() };
}

function collect(as: 'pipe' | 'terminal') {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return {
    stream: Object.assign(stream, as === 'terminal' ? { isTTY: true, columns: 80 } : {}),
    text: () => text,
  };
}

/** A terminal whose keys are pressed as soon as somebody listens. */
function createKeyboard(input: string): Readable {
  const stream = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stream });
  stream.write(input);
  return stream;
}
