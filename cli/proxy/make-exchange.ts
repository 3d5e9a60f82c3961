import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Plan } from '../run/plan.ts';
import { findPublicPlace } from './client-url.ts';
import type { Backend, Exchange } from './exchange.ts';

let counter = 0;
const PREFIX = `${process.pid.toString(36)}-${Date.now().toString(36)}`;

/** Opens the record of one HTTP request. */
export function makeExchange(
  request: IncomingMessage,
  response: ServerResponse,
  proxy: Plan['proxy'],
  backend: Backend,
): Exchange {
  const { path, query } = splitTarget(request.url ?? '/');
  const sessionId = request.headers['mcp-session-id'];
  counter += 1;
  const exchange: Exchange = {
    request,
    response,
    path: withoutPrefix(path, request, proxy),
    query,
    requestId: `${PREFIX}-${counter.toString(36)}`,
    startedAt: performance.now(),
    clientAddress: findClientAddress(request, proxy.trustProxyHeaders),
    sessionId: typeof sessionId === 'string' && sessionId !== '' ? sessionId : undefined,
    identity: undefined,
    claims: {},
    bearer: undefined,
    mcp: undefined,
    outgoing: new Map(),
    answerFilters: [],
    answerObservers: [],
    deliver: (message) => backend.deliver?.(exchange, message) ?? false,
    outcome: { refusal: undefined, notes: {} },
  };
  return exchange;
}

function splitTarget(target: string): { path: string; query: string } {
  // A client that takes us for a forward proxy sends a whole URL.
  const local = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/';
  const at = local.indexOf('?');
  return at < 0 ? { path: local, query: '' } : { path: local.slice(0, at), query: local.slice(at) };
}

/** contract 8: posting works with and without the prefix of the endpoint event. */
function withoutPrefix(path: string, request: IncomingMessage, proxy: Plan['proxy']): string {
  const prefixes = [
    proxy.endpointPrefix?.replace(/\/+$/, ''),
    proxy.trustProxyHeaders ? findPublicPlace(request, proxy).prefix : undefined,
  ];
  for (const prefix of prefixes) {
    if (prefix && path.startsWith(`${prefix}/`)) return path.slice(prefix.length);
  }
  return path;
}

function findClientAddress(request: IncomingMessage, isTrusted: boolean): string {
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
  if (!isTrusted) return peer;
  const forwarded = request.headers['x-forwarded-for'];
  const first = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',')[0]?.trim() ?? '';
  return isIP(first) === 0 ? peer : first;
}
