import type { Exchange } from '../exchange.ts';
import { RETRY_AFTER } from '../http/answer-failure.ts';
import { answerJson } from '../rpc-answer.ts';
import { CODES } from './codes.ts';
import { formatError } from './message.ts';

export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers an exchange with an error of the proxy. @param idText the id as the request has it; null when it has none */
export function refuse(exchange: Exchange, idText: string | undefined, refusal: Refusal): void {
  const bytes = formatError(idText ?? 'null', refusal.code, refusal.message, refusal.data);
  for (const observe of exchange.answerObservers) observe(bytes);
  answerJson(exchange.response, refusal.status, bytes.toString(), refusal.headers);
}

/** 405; without `allow` as the revision without sessions has it. */
export function refuseMethod(exchange: Exchange, allow = 'POST'): void {
  const message = `Method not allowed: ${allow} is served here.`;
  refuse(exchange, undefined, { status: 405, code: CODES.unavailable, message, headers: { allow } });
}

/** 503 while the server is away. */
export function refuseAway(exchange: Exchange, idText: string | undefined): void {
  exchange.outcome.refusal ??= 'server_unavailable';
  const headers = { 'retry-after': RETRY_AFTER };
  const message = 'The server is not available just now. Try again shortly.';
  refuse(exchange, idText, { status: 503, code: CODES.unavailable, message, headers });
}

/** 202: taken, and nothing to say. */
export function accept(exchange: Exchange, headers: Readonly<Record<string, string>> = {}): void {
  const { response } = exchange;
  if (response.headersSent || response.destroyed) return;
  response.writeHead(202, { ...headers, 'content-length': 0 }).end();
}
