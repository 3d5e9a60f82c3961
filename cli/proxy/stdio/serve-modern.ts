import type { Exchange } from '../exchange.ts';
import { readAccept } from './accepted-types.ts';
import { checkModern, checkParameters, type RequestMeta } from './check-modern.ts';
import type { Call, Client, Reply } from './client.ts';
import { CODES } from './codes.ts';
import type { Hub } from './hub.ts';
import type { KnownTools } from './known-tools.ts';
import { listenTo } from './listen-to.ts';
import { reachesLevel } from './log-levels.ts';
import { formatResult, type Message } from './message.ts';
import { describeServer, modernizeResult } from './modern-result.ts';
import { isParkingTicket, ModernCall, type ParkedCalls } from './parked-calls.ts';
import { PostReply } from './post-reply.ts';
import { accept, type Refusal, refuse, refuseAway } from './refuse.ts';
import { LEGACY_REVISIONS, listSupported, MODERN_REVISION } from './revisions.ts';
import type { Greeting } from './shake-hands.ts';
import { takeNotice } from './take-client-message.ts';

export interface ModernRoom {
  readonly hub: Hub;
  readonly waiting: Set<PostReply>;
  readonly streams: Set<{ keepAlive(): void }>;
  readonly parked: ParkedCalls;
  readonly tools: KnownTools;
}

/** Methods this revision does not have any more. */
const GONE: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'resources/subscribe',
  'resources/unsubscribe',
  'logging/setLevel',
]);

/** Serves a POST of the revision without sessions (contract 5 and 8): checked here, because standard streams have no headers. */
export async function serveModernPost(room: ModernRoom, exchange: Exchange, message: Message): Promise<void> {
  const { hub } = room;
  const idText = message.text('id');
  if (message.kind !== 'request' || idText === undefined) {
    takeNotice(hub, new ModernClient({ capabilities: {}, logLevel: undefined }), message);
    return accept(exchange);
  }
  if (!hub.isReady) await hub.settle();
  const { greeting } = hub;
  const checked = checkModern(exchange, message, listRevisions(greeting));
  if ('status' in checked) return refuse(exchange, idText, checked);
  if (greeting === undefined || !hub.isReady) return refuseAway(exchange, idText);
  const isNative = greeting.era === 'modern';
  const { method = '' } = message;
  if (!isNative && GONE.has(method)) {
    const what = `Method not found: ${method}`;
    return refuse(exchange, idText, { status: 404, code: CODES.methodNotFound, message: what });
  }
  if (!isNative && method === 'subscriptions/listen') return listenTo(room, exchange, message, greeting);
  if (method === 'tools/call') {
    const refusal = await findParameterRefusal(room.tools, exchange, message);
    if (refusal !== undefined) return refuse(exchange, idText, refusal);
    if (hub.greeting !== greeting || !hub.isReady) return refuseAway(exchange, idText);
  }
  await callServer(room, exchange, message, checked, greeting);
}

/** Nobody is refused for what is no longer so: the tools are looked at again first. */
async function findParameterRefusal(
  tools: KnownTools,
  exchange: Exchange,
  message: Message,
): Promise<Refusal | undefined> {
  const name = message.string('name') ?? '';
  const refusal = checkParameters(exchange, message, await tools.find(name));
  return refusal && checkParameters(exchange, message, await tools.find(name, true));
}

async function callServer(
  { hub, waiting, parked }: ModernRoom,
  exchange: Exchange,
  message: Message,
  meta: RequestMeta,
  greeting: Greeting,
): Promise<void> {
  const idText = message.text('id') ?? 'null';
  const ticket = message.string('requestState');
  const resumed = ticket === undefined ? undefined : parked.take(ticket, exchange.identity?.subject);
  if (resumed === undefined && isParkingTicket(ticket)) {
    const what = 'Invalid params: what requestState stands for has ended.';
    refuse(exchange, idText, { status: 400, code: CODES.invalidParams, message: what });
    return;
  }
  const client = resumed?.client ?? new ModernClient(meta);
  const post = new PostReply({
    exchange,
    accepted: readAccept(exchange.request),
    expected: 1,
    isBatch: false,
    headers: {},
    openStream: undefined,
    // contract 8: a closed response stream is a cancellation.
    onCut: () => hub.leave(client),
  });
  waiting.add(post);
  if (resumed) resumed.goOn(post, message);
  else if (greeting.era === 'modern') hub.call(client, message, withStatus(post));
  else if (message.method === 'server/discover') {
    post.answer(formatResult(idText, describeServer(greeting, listRevisions(greeting))), undefined, 200);
  } else {
    const finish = (reply: Reply): Reply => modernize(reply, message, greeting);
    const call = new ModernCall({ client, hub, parked, finish, owner: exchange.identity?.subject });
    call.start(post, message);
  }
  await post.finished;
  waiting.delete(post);
}

function listRevisions(greeting: Greeting | undefined): string[] {
  if (greeting?.era === 'modern') return [MODERN_REVISION];
  return listSupported(greeting?.protocolVersion ?? LEGACY_REVISIONS.at(-1) ?? '');
}

function modernize(post: Reply, { method = '' }: Message, greeting: Greeting): Reply {
  return withStatus({
    relate: (bytes) => post.relate(bytes),
    drop: () => post.drop(),
    answer: (bytes, message, status) =>
      post.answer(modernizeResult(bytes, method, greeting), message, status),
  });
}

/** Errors of the server that have an HTTP status of their own in this revision. */
function withStatus(post: Reply): Reply {
  return {
    relate: (bytes) => post.relate(bytes),
    drop: () => post.drop(),
    answer(bytes, message, status) {
      const code: unknown = message?.span('errorCode') === undefined ? undefined : message.read('errorCode');
      post.answer(bytes, message, typeof code === 'number' ? findStatus(code) : status);
    },
  };
}

function findStatus(code: number): number {
  if (code === CODES.methodNotFound) return 404;
  const isHeader =
    code === CODES.headerMismatch || code === CODES.missingCapability || code === CODES.unsupportedVersion;
  return isHeader ? 400 : 200;
}

/** One request without a session. */
class ModernClient implements Client {
  readonly capabilities: ReadonlySet<string>;
  readonly calls = new Set<Call>();
  readonly #logLevel: string | undefined;

  constructor({ capabilities, logLevel }: RequestMeta) {
    this.capabilities = new Set(Object.keys(capabilities));
    this.#logLevel = logLevel;
  }

  push(): void {}

  isListening(): boolean {
    return false;
  }

  wantsLog(level: string): boolean {
    return this.#logLevel !== undefined && reachesLevel(level, this.#logLevel);
  }
}
