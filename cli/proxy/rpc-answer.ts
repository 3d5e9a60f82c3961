import type { ServerResponse } from 'node:http';

/** Codes of JSON-RPC and of MCP that the proxy itself answers with. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
  /** The server cannot be reached, or died with the call. */
  unavailable: -32000,
  sessionNotFound: -32001,
  headerMismatch: -32020,
} as const;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** Of the request that is answered; null when it is not known. */
  readonly id?: string | number | null | undefined;
}

/** A JSON-RPC error as text. */
export function formatRpcError({ code, message, data, id = null }: RpcError): string {
  const error = data === undefined ? { code, message } : { code, message, data };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

/** Answers with an HTTP status and a JSON-RPC error. Does nothing when an answer has begun. */
export function answerRpcError(
  response: ServerResponse,
  status: number,
  error: RpcError,
  headers: Readonly<Record<string, string>> = {},
): void {
  answerJson(response, status, formatRpcError(error), headers);
}

/** Answers with JSON text. Does nothing when an answer has begun or nobody listens any more. */
export function answerJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(text);
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...headers,
    'content-length': body.length,
  });
  response.end(body);
}
