import { readFileSync } from 'node:fs';
import { UsageError } from '../usage-error.ts';

/** The value of `--claims` or `--set`: JSON, or `@FILE` with JSON in it. What it means is the service's to judge. */
export function readClaimsOption(text: string, flag: string): unknown {
  try {
    return JSON.parse(text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text);
  } catch (cause) {
    throw new UsageError('The claims are not JSON.', {
      at: { flag },
      fix: 'Write them as \'{"org":"acme"}\', or as @FILE.',
      cause,
    });
  }
}
