import type { Plan } from '../../run/plan.ts';
import { findPublicPlace } from '../client-url.ts';
import type { Exchange } from '../exchange.ts';
import type { Reply } from './client.ts';
import { CODES } from './codes.ts';
import type { Hub } from './hub.ts';
import { formatResult, type Message } from './message.ts';
import { Outlet } from './outlet.ts';
import { readBody } from './read-body.ts';
import { accept, refuse, refuseAway } from './refuse.ts';
import { agreeOnRevision } from './revisions.ts';
import { retell } from './serve-legacy.ts';
import { Session } from './session.ts';
import { isRecord } from './shake-hands.ts';
import { takeNotice, takeRequest } from './take-client-message.ts';

/** Where clients of SSE post their messages. */
export const MESSAGES_PATH = '/messages';

export interface SseRoom {
  readonly hub: Hub;
  readonly proxy: Plan['proxy'];
  readonly now: () => number;
  readonly streams: Map<string, SseClient>;
}

/** A client of HTTP with SSE: it lives as long as its stream, on which everything comes. */
export class SseClient extends Session {
  readonly outlet: Outlet;

  constructor(exchange: Exchange, now: number) {
    super({
      capabilities: new Set(),
      revision: '2024-11-05',
      owner: exchange.identity?.subject,
      now,
      isResumable: false,
    });
    this.outlet = new Outlet(exchange);
  }
}

/** Serves the stream: tells the client where to post, then everything that is for it. */
export async function serveSseStream(room: SseRoom, exchange: Exchange): Promise<void> {
  const client = new SseClient(exchange, room.now());
  const { hub, streams } = room;
  streams.set(client.id, client);
  hub.clients.add(client);
  client.outlet.startEvents();
  client.outlet.writeFrame(`event: endpoint\ndata: ${tellEndpoint(room, exchange, client.id)}\n\n`);
  client.stream.attach(client.outlet, undefined);
  const { response } = exchange;
  if (!response.destroyed) await new Promise<void>((resolve) => response.once('close', () => resolve()));
  streams.delete(client.id);
  hub.leave(client);
  client.close();
}

/** Serves a message that was posted: 202 at once, the answer comes on the stream. */
export async function serveSsePost(room: SseRoom, exchange: Exchange): Promise<void> {
  const client = findClient(room, exchange);
  if (client === undefined) {
    const message = 'Session not found: open the stream at /sse and post where it says.';
    return refuse(exchange, undefined, { status: 404, code: CODES.sessionNotFound, message });
  }
  const body = await readBody(exchange);
  if (body === undefined) return;
  const { message } = body;
  if (message === undefined) {
    const what = 'Batches are not supported in the negotiated revision.';
    return refuse(exchange, undefined, { status: 400, code: CODES.invalidRequest, message: what });
  }
  const { hub } = room;
  if (message.kind !== 'request') {
    takeNotice(hub, client, message);
    return accept(exchange);
  }
  if (!hub.isReady) await hub.settle();
  const { greeting } = hub;
  const idText = message.text('id') ?? 'null';
  if (greeting === undefined || !hub.isReady) return refuseAway(exchange, idText);
  const reply = streamReply(client, exchange);
  if (message.method === 'initialize') {
    introduce(client, message);
    const revision = agreeOnRevision(message.string('protocolVersion'), greeting.protocolVersion);
    reply.answer(formatResult(idText, retell(greeting, revision)), undefined, 200);
  } else {
    takeRequest(hub, client, message, reply);
  }
  accept(exchange);
}

function introduce(client: SseClient, message: Message): void {
  const capabilities: unknown = message.read('capabilities');
  client.capabilities = new Set(isRecord(capabilities) ? Object.keys(capabilities) : []);
}

/** Answers pass the filters of the request they answer, not those of the stream they come on. */
function streamReply(client: SseClient, exchange: Exchange): Reply {
  const post = new Outlet(exchange);
  const send = (bytes: Buffer): void =>
    post.deliver(bytes, (filtered) => client.stream.append(filtered, true));
  return {
    relate(bytes) {
      send(bytes);
      return true;
    },
    answer: send,
    drop: () => {},
  };
}

function findClient(room: SseRoom, exchange: Exchange): SseClient | undefined {
  const id = new URLSearchParams(exchange.query).get('sessionId') ?? exchange.sessionId;
  const client = id === undefined ? undefined : room.streams.get(id);
  return client?.owner === exchange.identity?.subject ? client : undefined;
}

/** Specification 4.1: `--endpoint-prefix`, else what a trusted proxy in front says. */
function tellEndpoint({ proxy }: SseRoom, { request }: Exchange, id: string): string {
  const place = findPublicPlace(request, proxy);
  const prefix = proxy.endpointPrefix?.replace(/\/+$/, '') || place.prefix;
  return `${place.isForwarded ? place.origin : ''}${prefix}${MESSAGES_PATH}?sessionId=${id}`;
}
