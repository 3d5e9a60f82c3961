import { BerthError } from '../../sources/errors.ts';
import type { Asking } from '../secrets/ask-hidden.ts';
import type { MissingInput } from './entry/input.ts';

/** Asks on the terminal, one value after the other, secrets hidden (contract 1). @throws BerthError `input_cancelled` */
export async function askInputs(
  missing: readonly MissingInput[],
  { stdin, stderr }: Asking,
): Promise<ReadonlyMap<string, string>> {
  // Standard output is for what `run` prints.
  const streams = { input: stdin, output: stderr };
  const { isCancel, password, select, text } = await import('@clack/prompts');
  const answers = new Map<string, string>();
  for (const { name, description, secret, choices } of missing) {
    if (answers.has(name)) continue;
    const message = description === undefined ? name : `${name}: ${description}`;
    const validate = (value: string | undefined) => (value ? undefined : 'A value is needed.');
    const answer = secret
      ? await password({ message, validate, ...streams })
      : choices !== undefined && choices.length > 0
        ? await select({ message, options: choices.map((value) => ({ value, label: value })), ...streams })
        : await text({ message, validate, ...streams });
    if (isCancel(answer))
      throw new BerthError('input_cancelled', 'Nothing was started: the question was not answered.');
    answers.set(name, answer);
  }
  return answers;
}
