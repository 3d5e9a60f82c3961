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
  if (isAmbiguous(mcp.message)) {
    exchange.outcome.refusal = 'ambiguous';
    const message = 'Invalid request: a member is spelled in another case than MCP has it.';
    answerRpcError(exchange.response, 400, { code: RPC.invalidRequest, message, id: mcp.id ?? null });
    return;
  }
  exchange.mcp = mcp;
  await next();
}

const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const JUDGED: ReadonlySet<string> = new Set(['name', 'uri', 'arguments']);

/**
 * Whether a message has members that some servers take for others, because they read names in any case: policy would
 * judge one tool, and the server call another.
 */
function isAmbiguous(message: unknown): boolean {
  if (Array.isArray(message)) return message.some(isAmbiguous);
  if (typeof message !== 'object' || message === null) return false;
  if (hasVariant(message, MEMBERS)) return true;
  const params = 'params' in message ? message.params : undefined;
  return typeof params === 'object' && params !== null && hasVariant(params, JUDGED);
}

function hasVariant(members: object, known: ReadonlySet<string>): boolean {
  return Object.keys(members).some((name) => !known.has(name) && known.has(name.toLowerCase()));
}
