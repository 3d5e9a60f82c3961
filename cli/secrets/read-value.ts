import type { Readable } from 'node:stream';
import { UsageError } from '../usage-error.ts';
import { type Asking, askHidden, isTerminal } from './ask-hidden.ts';

const LIMIT_BYTES = 1024 * 1024;

/**
 * A secret value from standard input, without the newline at its end, or from a hidden prompt on a terminal.
 * @throws UsageError when it is empty, too long or no text
 */
export async function readSecretValue(name: string, asking: Asking): Promise<string> {
  const value = isTerminal(asking.stdin)
    ? await askHidden(`Value of ${name}`, asking)
    : (await readText(asking.stdin)).replace(/\r?\n$/, '');
  if (value !== '') return value;
  throw new UsageError(`The value of "${name}" is empty.`, {
    fix: `Give it on standard input: berth secret set ${name} < file.`,
  });
}

/** All of standard input as text. */
export async function readText(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > LIMIT_BYTES) throw new UsageError('Standard input is longer than a secret may be (1 MiB).');
    chunks.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UsageError('Standard input is no UTF-8 text.', {
      fix: 'Encode binary values, as base64 for example.',
    });
  }
}
