import { BerthError } from '../../sources/errors.ts';
import type { AskInputs } from './modes/resolve-registry.ts';

/** Asks on the terminal, one value after the other, secrets hidden (contract 1). @throws BerthError `input_cancelled` */
export const askInputs: AskInputs = async (missing) => {
  const { isCancel, password, select, text } = await import('@clack/prompts');
  const answers = new Map<string, string>();
  for (const { name, description, secret, choices } of missing) {
    if (answers.has(name)) continue;
    const message = description === undefined ? name : `${name}: ${description}`;
    const validate = (value: string | undefined) => (value ? undefined : 'A value is needed.');
    const answer = secret
      ? await password({ message, validate })
      : choices !== undefined && choices.length > 0
        ? await select({ message, options: choices.map((value) => ({ value, label: value })) })
        : await text({ message, validate });
    if (isCancel(answer)) throw new BerthError('input_cancelled', 'Nothing was started: the question was not answered.');
    answers.set(name, answer);
  }
  return answers;
};
