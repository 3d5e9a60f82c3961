import type { ServerResponse } from 'node:http';
import type { Exchange } from '../proxy/exchange.ts';

export interface PolicyRefusal {
  /** HTTP status. */
  readonly status: number;
  /** JSON-RPC error code. */
  readonly code: number;
  /** For the client: no token content, no host. */
  readonly message: string;
  /** Stable, for audit and metrics. */
  readonly reason: string;
  /** Of the message that is refused, when it is one of a batch. */
  readonly id?: string | number | null | undefined;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers an exchange with a JSON-RPC error that carries the id of the request (contract 5: a refusal is readable by MCP clients). */
export function answerRefusal(exchange: Exchange, refusal: PolicyRefusal): void {
  exchange.outcome.refusal = refusal.reason;
  const error = {
    code: refusal.code,
    message: refusal.message,
    ...(refusal.data === undefined ? {} : { data: refusal.data }),
  };
  const body = Buffer.from(
    JSON.stringify({ jsonrpc: '2.0', id: refusal.id ?? exchange.mcp?.id ?? null, error }),
  );
  sendJson(exchange.response, refusal.status, body, refusal.headers);
  for (const observe of exchange.answerObservers) observe(body);
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.byteLength,
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(body);
}
