import type { Exchange } from '../exchange.ts';
import { type BegunBody, beginBody, streamBody } from '../request-body.ts';
import { answerRpcError, RPC } from '../rpc-answer.ts';
import { answerAway, readRequestId } from './answer-failure.ts';
import { readAnswerKey } from './answer-key.ts';
import { awaitAnswer } from './await-answer.ts';
import { type AnswerHeaders, readHeader } from './client-headers.ts';
import type { HttpBackendOptions } from './http-backend-options.ts';
import type { HttpSession, HttpSessions } from './http-sessions.ts';
import { beginStream, isEventStream, type Relay, type Relayed } from './relay.ts';
import { filterEvent, relayEvents, relayFiltered } from './relay-filtered.ts';
import { hasBatches, isStateless, spotVersion } from './revisions.ts';
import type { AnswerPlan } from './send-upstream.ts';
import { readSseEvent } from './sse-events.ts';
import { wantsPlain } from './upstream-headers.ts';

/** Longer bodies are streamed; shorter ones are taken whole, which costs less than a stream. */
const WHOLE_UP_TO = 65_536;
/** Where in an answer to `initialize` the revision may stand. */
const VERSION_WITHIN = 16_384;

export interface StreamableDeps {
  readonly options: HttpBackendOptions;
  readonly sessions: HttpSessions;
  readonly relay: Relay;
}

/** Leads one request of streamable HTTP to the server: sessions, batches, GET stream (contract 5 and 8). */
export async function handleStreamable(exchange: Exchange, deps: StreamableDeps): Promise<void> {
  const { request, sessionId, response } = exchange;
  const { options, sessions } = deps;
  const method = request.method === 'GET' || request.method === 'DELETE' ? request.method : 'POST';
  const announced = readVersionHeader(exchange);
  const hasSessions = !options.proxy.stateless && !isStateless(announced);
  const session =
    hasSessions && sessionId !== undefined ? sessions.find(sessionId, exchange.identity?.subject) : undefined;
  if (hasSessions && sessionId !== undefined && session === undefined) {
    const unread = await beginExchangeBody(exchange);
    answerUnknownSession(exchange, readRequestId(exchange, unread.head));
    return;
  }
  if (hasSessions && sessionId === undefined && method === 'DELETE') {
    answerRpcError(response, 400, { code: RPC.invalidRequest, message: 'Mcp-Session-Id is required.' });
    return;
  }
  const begun = await beginExchangeBody(exchange);
  if (begun.head.length > 0 && startsBatch(begun.head) && !hasBatches(session?.version ?? announced)) {
    answerRpcError(response, 400, {
      code: RPC.invalidRequest,
      message: 'Batches are not part of the protocol revision in use.',
    });
    return;
  }
  const target = options.target();
  if (target === undefined) return answerAway(exchange, readRequestId(exchange, begun.head));
  const release = session && sessions.hold(session);
  try {
    await deps.relay(exchange, {
      url: withQuery(target, exchange.query),
      method,
      body: method === 'POST' ? (begun.isComplete ? begun.head : streamBody(request, begun.head)) : null,
      head: begun.head,
      plain: session === undefined && begun.head.includes('"initialize"'),
      ...(method === 'DELETE' ? { statusFor: (status: number) => (status === 200 ? 204 : status) } : {}),
      onHead: (status, headers) =>
        noteAnswer(exchange, deps, { session, status, headers, method, hasSessions }),
    });
  } finally {
    release?.();
  }
}

interface Noted {
  readonly session: HttpSession | undefined;
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly method: Relayed['method'];
  readonly hasSessions: boolean;
}

function noteAnswer(exchange: Exchange, { sessions }: StreamableDeps, noted: Noted): AnswerPlan | undefined {
  const { session, status, headers, method, hasSessions } = noted;
  if (session !== undefined && (status === 404 || (method === 'DELETE' && status < 300)))
    sessions.forget(session.id);
  const issued = readHeader(headers, 'mcp-session-id');
  if (hasSessions && session === undefined && issued !== undefined && status < 300 && method === 'POST') {
    const opened = sessions.learn(issued, exchange.identity?.subject);
    const watch = watchVersion(opened);
    if (!wantsPlain(exchange)) {
      beginStream(exchange, {}, status, headers);
      return { tap: watch };
    }
    exchange.answerObservers.push(watch);
  }
  if (method === 'POST' && wantsPlain(exchange)) {
    if (session) awaitOnStream(session, exchange);
    return relayFiltered(exchange, status, headers);
  }
  if (method === 'GET' && session && isEventStream(headers))
    return relayGetStream(exchange, session, status, headers);
  return undefined;
}

/** Answers to a call whose stream broke may come on the GET stream, and are judged there as they would have been. */
function awaitOnStream({ awaited }: HttpSession, exchange: Exchange): void {
  const id = exchange.mcp?.method === undefined ? undefined : exchange.mcp.id;
  if (id === undefined || id === null) return;
  const key = JSON.stringify(id);
  awaitAnswer(awaited, key, exchange);
  exchange.response.once('finish', () => {
    if (awaited.get(key) === exchange) awaited.delete(key);
  });
}

function relayGetStream(
  exchange: Exchange,
  session: HttpSession,
  status: number,
  headers: AnswerHeaders,
): AnswerPlan {
  const plain = filterEvent(exchange);
  return relayEvents(exchange, status, headers, async (event) => {
    const waiting = session.awaited.size === 0 ? undefined : findAwaiting(session, event);
    if (waiting) return filterEvent(waiting)(event);
    return wantsPlain(exchange) ? plain(event) : event;
  });
}

function findAwaiting({ awaited }: HttpSession, event: Buffer): Exchange | undefined {
  const key = readAnswerKey(readSseEvent(event).data);
  const waiting = key === undefined ? undefined : awaited.get(key);
  if (key !== undefined) awaited.delete(key);
  return waiting;
}

/** Learns the negotiated revision as the answer to `initialize` passes. */
function watchVersion(session: HttpSession): (chunk: Buffer) => void {
  let seen = '';
  return (chunk) => {
    if (session.version !== undefined || seen.length > VERSION_WITHIN) return;
    seen += chunk.toString('latin1');
    session.version = spotVersion(seen);
  };
}

function answerUnknownSession(exchange: Exchange, id: ReturnType<typeof readRequestId>): void {
  exchange.outcome.refusal = 'session_unknown';
  answerRpcError(exchange.response, 404, { code: RPC.sessionNotFound, message: 'Session not found', id });
}

async function beginExchangeBody({ mcp, request }: Exchange): Promise<BegunBody> {
  if (mcp) return { head: mcp.body, isComplete: true };
  if (request.method !== 'POST') return { head: Buffer.alloc(0), isComplete: true };
  return beginBody(request, WHOLE_UP_TO);
}

/** Whether JSON text is an array. */
export function startsBatch(head: Buffer): boolean {
  for (const byte of head) {
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return byte === 0x5b;
  }
  return false;
}

function readVersionHeader({ request }: Exchange): string | undefined {
  const version = request.headers['mcp-protocol-version'];
  return typeof version === 'string' ? version : undefined;
}

/** A query of the target is part of its address and stays as it is; without one the client's is passed on. */
function withQuery(target: URL, query: string): URL {
  if (target.search !== '' || query === '') return target;
  const url = new URL(target);
  url.search = query;
  return url;
}
