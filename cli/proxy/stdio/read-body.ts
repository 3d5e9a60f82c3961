import type { Exchange } from '../exchange.ts';
import { readRequestBody } from '../request-body.ts';
import { CODES } from './codes.ts';
import { type Message, readBatch, readMessage } from './message.ts';
import { refuse } from './refuse.ts';

/** One message, or the messages of a batch; undefined in it for what is no object. */
export interface PostedBody {
  readonly message: Message | undefined;
  readonly batch: readonly (Message | undefined)[] | undefined;
}

/**
 * Reads what was posted, as the last link of the chain left it. Answers 400 itself and gives undefined when it is
 * neither a message nor a batch.
 *
 * @throws BodyTooLargeError, ClientGoneError
 */
export async function readBody(exchange: Exchange): Promise<PostedBody | undefined> {
  const bytes = exchange.mcp?.body ?? (await readRequestBody(exchange.request));
  const message = readMessage(bytes);
  if (message !== undefined) {
    if (message.kind !== 'invalid') return { message, batch: undefined };
    const what = 'Invalid request: not a JSON-RPC message (an id must be a string or a number).';
    refuse(exchange, undefined, { status: 400, code: CODES.invalidRequest, message: what });
    return undefined;
  }
  const batch = readBatch(bytes);
  if (batch !== undefined) return { message, batch };
  refuse(exchange, undefined, {
    status: 400,
    code: CODES.parseError,
    message: 'Parse error: the body is no JSON object.',
  });
  return undefined;
}
