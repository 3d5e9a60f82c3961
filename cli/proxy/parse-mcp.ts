import type { Exchange } from './exchange.ts';
import { readMcpRequest } from './read-mcp-request.ts';
import { readRequestBody } from './request-body.ts';
import { answerRpcError, RPC } from './rpc-answer.ts';

/** The stage `mcp`: reads the body of a POST for the links behind it. */
export async function parseMcp(exchange: Exchange, next: () => Promise<void>): Promise<void> {
  if (exchange.request.method !== 'POST') return next();
  const mcp = readMcpRequest(await readRequestBody(exchange.request));
  if (mcp === undefined) {
    // What policy cannot read, nobody behind it may read either.
    exchange.outcome.refusal = 'not_json';
    answerRpcError(exchange.response, 400, {
      code: RPC.parseError,
      message: 'Parse error: the body is no JSON.',
    });
    return;
  }
  exchange.mcp = mcp;
  await next();
}
