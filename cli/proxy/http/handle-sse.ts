import type { Exchange } from '../exchange.ts';
import { readRequestBody } from '../request-body.ts';
import { answerRpcError, RPC } from '../rpc-answer.ts';
import { answerAway, formatLostCall, readRequestId } from './answer-failure.ts';
import { readAnswerKey } from './answer-key.ts';
import { awaitAnswer } from './await-answer.ts';
import { startsBatch } from './handle-streamable.ts';
import type { HttpBackendOptions } from './http-backend-options.ts';
import { isEventStream, type Relay } from './relay.ts';
import { type EventRewriter, filterEvent, relayEvents } from './relay-filtered.ts';
import { hasBatches, spotVersion } from './revisions.ts';
import { rewriteEndpoint } from './sse-endpoint.ts';
import { readSseEvent, replaceSseData } from './sse-events.ts';
import type { SseSession, SseSessions } from './sse-sessions.ts';
import { wantsPlain } from './upstream-headers.ts';

export interface SseDeps {
  readonly options: HttpBackendOptions;
  readonly streams: SseSessions;
  readonly relay: Relay;
}

/** Leads one request of the HTTP+SSE transport of 2024-11-05 to the server: its stream, or a message of a client. */
export async function handleSse(exchange: Exchange, deps: SseDeps): Promise<void> {
  if (exchange.request.method === 'GET') return openStream(exchange, deps);
  if (exchange.request.method === 'POST' && deps.streams.owns(exchange.path))
    return postMessage(exchange, deps);
  const allow = deps.streams.owns(exchange.path) ? 'POST, OPTIONS' : 'GET, OPTIONS';
  const error = {
    code: RPC.invalidRequest,
    message: 'This server speaks HTTP with SSE: open the stream with GET.',
  };
  answerRpcError(exchange.response, 405, error, { allow });
}

async function openStream(exchange: Exchange, { options, streams, relay }: SseDeps): Promise<void> {
  const target = options.target();
  if (target === undefined) return answerAway(exchange, null);
  const url = new URL(target);
  if (url.search === '') url.search = exchange.query;
  let session: SseSession | undefined;
  let place: string | undefined;
  const open: EventRewriter = (event) => {
    const { type, data } = readSseEvent(event);
    if (type !== 'endpoint' || data === undefined) return event;
    const rewritten = rewriteEndpoint(
      data.toString('utf8'),
      url,
      exchange,
      options.proxy,
      options.hostHeader,
    );
    if (rewritten === undefined) {
      options.log(
        'error',
        { requestId: exchange.requestId },
        'the server names an endpoint of another origin',
      );
      return undefined;
    }
    if (place !== undefined) streams.remove(place);
    place = rewritten.place;
    const owner = exchange.identity?.subject;
    session = {
      stream: exchange,
      owner,
      endpoint: rewritten.upstream,
      version: session?.version,
      awaited: new Map(),
    };
    streams.add(place, session);
    return replaceSseData(event, Buffer.from(rewritten.told));
  };
  const rewrite: EventRewriter = (event) => {
    if (session === undefined || isEndpoint(event)) return open(event);
    return passMessage(event, session, exchange);
  };
  try {
    await relay(exchange, {
      url,
      method: 'GET',
      body: null,
      head: undefined,
      plain: true,
      onHead: (status, headers) => {
        if (status !== 200 || !isEventStream(headers)) return undefined;
        const take = relayEvents(exchange, status, headers, rewrite);
        return (body) =>
          take(body).finally(() => {
            if (session) answerLostCalls(exchange, session);
          });
      },
    });
  } finally {
    if (place !== undefined) streams.remove(place);
  }
}

async function passMessage(event: Buffer, session: SseSession, stream: Exchange): Promise<Buffer> {
  const { data } = readSseEvent(event);
  if (session.version === undefined && data !== undefined)
    session.version = spotVersion(data.toString('latin1'));
  const key = session.awaited.size === 0 ? undefined : readAnswerKey(data);
  const asked = key === undefined ? undefined : session.awaited.get(key);
  if (key !== undefined) session.awaited.delete(key);
  const filtered = asked !== undefined && wantsPlain(asked) ? await filterEvent(asked)(event) : event;
  return wantsPlain(stream) ? filterEvent(stream)(filtered) : filtered;
}

async function postMessage(exchange: Exchange, { options, streams, relay }: SseDeps): Promise<void> {
  const { request, response } = exchange;
  const session = streams.find(exchange.path + exchange.query, exchange.identity?.subject);
  // Messages are answered on the stream, so each has to be known by its id: none is streamed.
  const body = exchange.mcp?.body ?? (await readRequestBody(request));
  const id = readRequestId(exchange, body);
  if (session === undefined) {
    exchange.outcome.refusal = 'session_unknown';
    answerRpcError(response, 404, { code: RPC.sessionNotFound, message: 'Session not found', id });
    return;
  }
  if (startsBatch(body) && !hasBatches(session.version)) {
    const message = 'Batches are not part of the protocol revision in use.';
    answerRpcError(response, 400, { code: RPC.invalidRequest, message });
    return;
  }
  if (options.target() === undefined) return answerAway(exchange, id);
  const key = id === null || id === undefined ? undefined : JSON.stringify(id);
  if (key !== undefined) awaitAnswer(session.awaited, key, exchange);
  await relay(exchange, {
    url: session.endpoint,
    method: 'POST',
    body,
    head: body,
    onHead(status) {
      if (status >= 300 && key !== undefined) session.awaited.delete(key);
      return undefined;
    },
  });
}

/** The server left: what it still owed is answered, so that nobody waits for it (contract 8). */
function answerLostCalls({ response }: Exchange, { awaited }: SseSession): void {
  if (response.writableEnded || response.destroyed) return;
  for (const key of awaited.keys()) {
    const id: unknown = JSON.parse(key);
    if (typeof id === 'string' || typeof id === 'number') response.write(formatLostCall(id));
  }
  awaited.clear();
}

function isEndpoint(event: Buffer): boolean {
  return event.includes('endpoint') && readSseEvent(event).type === 'endpoint';
}

/** Sends a message of the proxy itself on the stream of whoever posted, and accepts the post. */
export function deliverOnStream(
  streams: SseSessions,
  { path, query, identity, response }: Exchange,
  message: Buffer,
): boolean {
  const session = streams.find(path + query, identity?.subject);
  if (session === undefined || session.stream.response.destroyed) return false;
  session.stream.response.write(`event: message\ndata: ${message.toString('utf8')}\n\n`);
  response.writeHead(202, { 'content-type': 'text/plain' });
  response.end('Accepted');
  return true;
}
