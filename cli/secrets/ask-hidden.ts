import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { BerthError } from '../../sources/errors.ts';
import type { AskPassword } from './password-source.ts';

/** The streams a person is asked through. */
export interface Asking {
  readonly stdin: Readable;
  readonly stderr: Writable;
}

/** Whether somebody types there. */
export function isTerminal(stream: Readable | Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true;
}

/** Lines that were typed before they were asked for. */
const typedAhead = new WeakMap<Readable, string[]>();

/**
 * Asks for something that is not shown while it is typed.
 * @throws BerthError `interrupted` when the person gives up, `secret_empty`
 */
export async function askHidden(message: string, { stdin, stderr }: Asking): Promise<string> {
  stderr.write(`${message}: `);
  const lines = typedAhead.get(stdin) ?? [];
  if (lines.length === 0) lines.push(...(await readHiddenLines(stdin)));
  const answer = lines.shift();
  typedAhead.set(stdin, lines);
  stderr.write('\n');
  if (answer === undefined) throw new BerthError('interrupted', 'Nothing was done.');
  if (answer === '') throw new BerthError('secret_empty', 'Nothing was typed.', { fix: 'Try again.' });
  return answer;
}

/** The lines that one stretch of typing or pasting brings; none when it is broken off. */
function readHiddenLines(stdin: Readable): Promise<string[]> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const editor = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  return new Promise((resolve) => {
    const lines: string[] = [];
    editor.on('line', (line) => {
      lines.push(line);
      setImmediate(() => editor.close());
    });
    editor.on('SIGINT', () => editor.close());
    editor.on('close', () => resolve(lines));
  });
}

/**
 * Asks on the terminal for the password of the secrets, twice for a new one; undefined where nobody can be asked.
 * @throws BerthError `secrets_password_differs`
 */
export function createPasswordPrompt(asking: Asking): AskPassword | undefined {
  if (!isTerminal(asking.stdin) || !isTerminal(asking.stderr)) return undefined;
  return async (isNew) => {
    if (!isNew) return askHidden('Password of the secrets', asking);
    const password = await askHidden('New password for the secrets', asking);
    if ((await askHidden('The same password again', asking)) === password) return password;
    throw new BerthError('secrets_password_differs', 'The two passwords are not the same.', {
      fix: 'Try again.',
    });
  };
}
