import { readFileSync } from 'node:fs';
import { UsageError } from '../usage-error.ts';

/**
 * The value of `--claims` or `--set`: JSON, or `@FILE` with JSON in it. What it means is the service's to judge.
 * @throws UsageError for a file that cannot be read and for what is no JSON
 */
export function readClaimsOption(text: string, flag: string): unknown {
  const file = text.startsWith('@') ? text.slice(1) : undefined;
  const json = file === undefined ? text : readFile(file, flag);
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new UsageError('The claims are not JSON.', {
      at: file === undefined ? { flag } : { flag, file },
      fix: 'Write them as \'{"org":"acme"}\', or as @FILE.',
      cause,
    });
  }
}

function readFile(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError('The file with the claims cannot be read.', {
      at: { flag, file },
      fix: 'Check the path after the @.',
      cause,
    });
  }
}
