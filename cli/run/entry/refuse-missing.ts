import { BerthError } from '../../../sources/errors.ts';
import type { MissingInput } from './input.ts';

/** The error that names everything an entry needs and the flag for each (contract 1 and 8). */
export function refuseMissing(entry: string, missing: readonly MissingInput[]): BerthError {
  const lines = missing.map((input) => {
    const { name, description, choices } = input;
    const about = [description, choices && `one of ${choices.join(', ')}`].filter(Boolean).join('; ');
    return `  ${name}${about === '' ? '' : ` (${about})`}: ${flagFor(input)}`;
  });
  return new BerthError('input_missing', `${entry} needs what was not given:\n${lines.join('\n')}`);
}

function flagFor({ name, kind, secret }: MissingInput): string {
  if (kind === 'argument') return 'as argument after --';
  if (kind === 'header') {
    return secret
      ? `--remote-forward-headers-secret ${name}=SECRET-NAME`
      : `--remote-forward-headers ${name}=VALUE`;
  }
  return secret ? `--secret NAME,target=${name}` : `-e ${name}=VALUE`;
}
