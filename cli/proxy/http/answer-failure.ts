import type { Exchange } from '../exchange.ts';
import { answerRpcError, formatRpcError, RPC } from '../rpc-answer.ts';

/** Seconds after which a client may try again. */
export const RETRY_AFTER = '2';
/** The server was not there, so it did not see the request. */
const AWAY: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

type RequestId = string | number | null | undefined;

/** The id of the request in a body, for answering it. */
export function readRequestId(exchange: Exchange, body: Buffer | undefined): RequestId {
  if (exchange.mcp) return exchange.mcp.method === undefined ? null : exchange.mcp.id;
  if (body === undefined || body.length === 0) return null;
  try {
    const message: unknown = JSON.parse(body.toString('utf8'));
    if (typeof message !== 'object' || message === null || !('id' in message) || !('method' in message))
      return null;
    const { id } = message;
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  } catch {
    return null;
  }
}

/** Whether a connection error means that the server is not there at all. */
export function isAway(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && AWAY.has(at.code)) return true;
    if (at instanceof AggregateError && at.errors.some((one) => isAway(one))) return true;
  }
  return false;
}

/** 503 with `Retry-After` while the server is away. */
export function answerAway(
  { response, outcome }: Exchange,
  id: RequestId,
  message = 'The server is not available.',
) {
  outcome.refusal ??= 'server_unavailable';
  const error = { code: RPC.unavailable, message, id };
  answerRpcError(response, 503, error, { 'retry-after': RETRY_AFTER });
}

/** 502 for a call the server took and did not answer. */
export function answerBroken({ response, outcome }: Exchange, id: RequestId, message: string): void {
  outcome.refusal ??= 'server_failed';
  answerRpcError(response, 502, { code: RPC.unavailable, message, id }, { 'retry-after': RETRY_AFTER });
}

/** The event that answers a call whose stream the server left. */
export function formatLostCall(id: RequestId): string {
  const error = {
    code: RPC.unavailable,
    message: 'The server closed the connection before it answered.',
    id,
  };
  return `event: message\ndata: ${formatRpcError(error)}\n\n`;
}
