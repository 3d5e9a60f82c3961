import type { Exchange } from './exchange.ts';
import { answerJson, formatRpcError, type RpcError } from './rpc-answer.ts';

/**
 * Answers a call with a JSON-RPC error as its server would: with HTTP 200, or on the stream where this client gets its
 * answers.
 */
export function answerCall(exchange: Exchange, error: RpcError): void {
  const message = formatRpcError({ ...error, id: error.id ?? exchange.mcp?.id ?? null });
  const bytes = Buffer.from(message);
  for (const observe of exchange.answerObservers) observe(bytes);
  if (exchange.deliver?.(bytes) !== true) answerJson(exchange.response, 200, message);
}
