import type { Exchange } from './exchange.ts';
import { answerRpcError, RPC } from './rpc-answer.ts';

/** What a client may still send after it was refused, so that it gets to read the answer instead of a reset. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 15_000;

/** The link `body-limit`: 413 at once, while the client may still be sending (contract 5). */
export function answerTooLarge({ request, response, outcome }: Exchange): void {
  outcome.refusal = 'body_too_large';
  answerRpcError(response, 413, {
    code: RPC.invalidRequest,
    message: 'The request body is longer than 8 MiB.',
  });
  let drained = 0;
  const timer = setTimeout(() => request.destroy(), DRAIN_MS);
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > DRAIN_BYTES) request.destroy();
  });
  request
    .on('close', () => clearTimeout(timer))
    .on('end', () => clearTimeout(timer))
    .on('error', () => undefined);
  request.resume();
}
