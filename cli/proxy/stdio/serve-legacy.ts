import type { Exchange } from '../exchange.ts';
import { hasBatches } from '../http/revisions.ts';
import { findSpan } from '../json/find-spans.ts';
import { splice } from '../json/splice.ts';
import { readAccept } from './accepted-types.ts';
import type { Client } from './client.ts';
import { CODES } from './codes.ts';
import type { Hub } from './hub.ts';
import { formatResult, type Message } from './message.ts';
import { Outlet } from './outlet.ts';
import { PostReply } from './post-reply.ts';
import type { PostedBody } from './read-body.ts';
import { accept, refuse, refuseAway } from './refuse.ts';
import { agreeOnRevision, LEGACY_REVISIONS, listSupported, MODERN_REVISION } from './revisions.ts';
import { Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import { type Greeting, isRecord } from './shake-hands.ts';
import { takeNotice, takeRequest } from './take-client-message.ts';

export interface LegacyRoom {
  readonly hub: Hub;
  readonly sessions: Sessions;
  readonly now: () => number;
  /** `--stateless`: POST only, no session, no stream. */
  readonly isStateless: boolean;
  /** Told of every POST that waits, and when it no longer does. */
  readonly waiting: Set<PostReply>;
}

const MAX_BATCH = 1000;

/** Serves a POST of the revisions with sessions (contract 5). */
export async function serveLegacyPost(room: LegacyRoom, exchange: Exchange, body: PostedBody): Promise<void> {
  const { message, batch } = body;
  if (message?.method === 'initialize') return initialize(room, exchange, message);
  const client = room.isStateless ? new LooseClient() : findSession(room, exchange, message?.text('id'));
  if (client === undefined || !checkVersionHeader(exchange, message)) return;
  if (batch) return serveBatch(room, exchange, client, batch);
  if (message === undefined) return;
  if (message.kind !== 'request') {
    takeNotice(room.hub, client, message);
    return accept(exchange);
  }
  await serveRequests(room, exchange, client, [message], false);
}

async function serveBatch(
  room: LegacyRoom,
  exchange: Exchange,
  client: Session | LooseClient,
  batch: readonly (Message | undefined)[],
): Promise<void> {
  const refuseBatch = (message: string): void =>
    refuse(exchange, undefined, { status: 400, code: CODES.invalidRequest, message });
  if (!hasBatches(client.revision))
    return refuseBatch('Batches are not supported in the negotiated revision.');
  if (batch.length === 0 || batch.length > MAX_BATCH)
    return refuseBatch(`A batch holds 1 to ${MAX_BATCH} messages.`);
  const messages = batch.filter((message) => message !== undefined && message.kind !== 'invalid');
  if (messages.length < batch.length) return refuseBatch('A message of the batch is no JSON-RPC message.');
  if (messages.some((message) => message?.method === 'initialize'))
    return refuseBatch('initialize must stand alone.');
  const requests: Message[] = [];
  for (const message of messages) {
    if (message?.kind === 'request') requests.push(message);
    else if (message) takeNotice(room.hub, client, message);
  }
  if (requests.length === 0) return accept(exchange);
  await serveRequests(room, exchange, client, requests, true);
}

async function serveRequests(
  { hub, waiting, isStateless }: LegacyRoom,
  exchange: Exchange,
  client: Session | LooseClient,
  requests: readonly Message[],
  isBatch: boolean,
): Promise<void> {
  if (!hub.isReady) await hub.settle();
  if (!hub.isReady) return refuseAway(exchange, requests[0]?.text('id'));
  const accepted = readAccept(exchange.request);
  const reply = new PostReply({
    exchange,
    accepted: isStateless ? { json: true, events: false } : accepted,
    expected: requests.length,
    isBatch,
    headers: client instanceof Session ? { 'mcp-session-id': client.id } : {},
    openStream: client instanceof Session ? () => client.openCallStream() : undefined,
    // The revisions with sessions do not take a lost connection for a cancellation; without one nobody can come back.
    onCut: () => client instanceof LooseClient && hub.leave(client),
  });
  waiting.add(reply);
  for (const request of requests) takeRequest(hub, client, request, reply);
  await reply.finished;
  waiting.delete(reply);
}

async function initialize(room: LegacyRoom, exchange: Exchange, message: Message): Promise<void> {
  const idText = message.text('id');
  if (message.kind !== 'request' || idText === undefined) {
    const what = 'initialize is a request and needs an id.';
    return refuse(exchange, undefined, { status: 400, code: CODES.invalidRequest, message: what });
  }
  await room.hub.settle();
  const { greeting } = room.hub;
  if (greeting === undefined) return refuseAway(exchange, idText);
  if (greeting.era === 'modern') {
    const data = { supported: [MODERN_REVISION], requested: message.read('protocolVersion') ?? null };
    const what = `Unsupported protocol version: the server speaks ${MODERN_REVISION} only.`;
    return refuse(exchange, idText, { status: 400, code: CODES.unsupportedVersion, message: what, data });
  }
  const revision = agreeOnRevision(message.string('protocolVersion'), greeting.protocolVersion);
  const headers: Record<string, string> = {};
  if (!room.isStateless) {
    const session = openSession(message, revision, exchange, room.now(), true);
    room.sessions.add(session);
    room.hub.clients.add(session);
    headers['mcp-session-id'] = session.id;
  }
  const reply = new PostReply({
    exchange,
    accepted: readAccept(exchange.request),
    expected: 1,
    isBatch: false,
    headers,
    openStream: undefined,
    onCut: () => {},
  });
  reply.answer(formatResult(idText, retell(greeting, revision)), undefined, 200);
  await reply.finished;
}

/** A session for a client that introduces itself. */
export function openSession(
  message: Message,
  revision: string,
  exchange: Exchange,
  now: number,
  isResumable: boolean,
): Session {
  const capabilities: unknown = message.read('capabilities');
  return new Session({
    capabilities: new Set(isRecord(capabilities) ? Object.keys(capabilities) : []),
    revision,
    owner: exchange.identity?.subject,
    now,
    isResumable,
  });
}

/** The result of `initialize` exactly as the server gave it, but for the revision. */
export function retell(greeting: Greeting, revision: string): string {
  const span = findSpan(greeting.result, ['protocolVersion']);
  if (revision === greeting.protocolVersion || span === undefined) return greeting.result.toString();
  return splice(greeting.result, [{ ...span, text: JSON.stringify(revision) }]).toString();
}

/** Serves a GET: the stream of the session, or the rest of a stream that was cut. */
export async function serveStream(room: LegacyRoom, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const wanted = request.headers.accept;
  if (wanted !== undefined && !readAccept(request).events) {
    const message = 'This stream is text/event-stream, which Accept does not name.';
    return refuse(exchange, undefined, { status: 406, code: CODES.unavailable, message });
  }
  const session = findSession(room, exchange, undefined);
  if (session === undefined || !checkVersionHeader(exchange, undefined)) return;
  const lastId = request.headers['last-event-id'];
  const event = typeof lastId === 'string' && lastId !== '' ? session.findEvent(lastId) : undefined;
  const outlet = new Outlet(exchange);
  outlet.startEvents({ 'mcp-session-id': session.id });
  outlet.writeFrame(': stream open\n\n');
  (event?.stream ?? session.stream).attach(outlet, event?.after);
  if (response.destroyed) return;
  await new Promise<void>((resolve) => response.once('close', () => resolve()));
  room.sessions.touch(session);
}

/** Serves a DELETE: ends the session. */
export function endSession(room: LegacyRoom, exchange: Exchange): void {
  const session = findSession(room, exchange, undefined);
  if (session === undefined) return;
  room.sessions.end(session);
  exchange.response.writeHead(204).end();
}

/** Answers itself when there is no such session; the server is not asked. */
function findSession(room: LegacyRoom, exchange: Exchange, idText: string | undefined): Session | undefined {
  const { sessionId } = exchange;
  if (sessionId === undefined) {
    const message = 'Mcp-Session-Id is missing: initialize first.';
    refuse(exchange, idText, { status: 400, code: CODES.invalidRequest, message });
    return undefined;
  }
  const session = room.sessions.find(sessionId, exchange.identity?.subject);
  if (session === undefined) {
    const message = 'Session not found: it has ended or never was. Initialize again.';
    refuse(exchange, idText, { status: 404, code: CODES.sessionNotFound, message });
  }
  return session;
}

function checkVersionHeader(exchange: Exchange, message: Message | undefined): boolean {
  const header = exchange.request.headers['mcp-protocol-version'];
  if (header === undefined || LEGACY_REVISIONS.some((revision) => revision === header)) return true;
  const data = { supported: listSupported(LEGACY_REVISIONS.at(-1) ?? ''), requested: header };
  const what = 'Unsupported protocol version in MCP-Protocol-Version.';
  refuse(exchange, message?.text('id'), { status: 400, code: CODES.invalidRequest, message: what, data });
  return false;
}

/** A single request of a server that keeps no sessions. */
class LooseClient implements Client {
  readonly capabilities: ReadonlySet<string> = new Set();
  readonly calls: Client['calls'] = new Set();
  readonly revision = LEGACY_REVISIONS.at(-1) ?? '';
  logLevel: string | undefined;
  push(): void {}
  isListening(): boolean {
    return false;
  }
  wantsLog(): boolean {
    return false;
  }
}
