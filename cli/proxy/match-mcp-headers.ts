import type { Exchange } from './exchange.ts';

const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Makes `Mcp-Method` and `Mcp-Name` say what the body says now (revision 2026-07-28 wants them equal). To be called by
 * a stage that has changed the request; older clients send neither and are left alone.
 */
export function matchMcpHeaders(exchange: Exchange): void {
  const { mcp, request, outgoing } = exchange;
  if (mcp?.method === undefined) return;
  if (request.headers['mcp-method'] !== undefined) outgoing.set('mcp-method', mcp.method);
  if (request.headers['mcp-name'] === undefined) return;
  outgoing.set('mcp-name', mcp.target === undefined ? null : encodeHeader(mcp.target));
}

/** Header values that are not plain ASCII travel as `=?base64?…?=`. */
export function encodeHeader(value: string): string {
  return PLAIN.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
