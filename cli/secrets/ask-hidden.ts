import type { Readable, Writable } from 'node:stream';
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

/**
 * Asks for something that is not shown while it is typed.
 * @throws BerthError `interrupted` when the person gives up
 */
export async function askHidden(message: string, { stdin, stderr }: Asking): Promise<string> {
  const { isCancel, password } = await import('@clack/prompts');
  const answer = await password({
    message,
    input: stdin,
    output: stderr,
    validate: (value) => (value ? undefined : 'It must not be empty.'),
  });
  if (isCancel(answer)) throw new BerthError('interrupted', 'Nothing was done.');
  return answer;
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
