import { BerthError } from '../../../sources/errors.ts';
import type { AttachedStreams } from '../../engine/engine.ts';
import type { Plan } from '../../run/plan.ts';
import type { Backend, Exchange, ListedTool, ServerDescription } from '../exchange.ts';
import type { ProxyLog } from '../proxy.ts';
import { isModern } from './check-modern.ts';
import { Hub } from './hub.ts';
import { KnownTools } from './known-tools.ts';
import { listTools } from './list-tools.ts';
import { ParkedCalls } from './parked-calls.ts';
import type { PostReply } from './post-reply.ts';
import { readBody } from './read-body.ts';
import { refuseMethod } from './refuse.ts';
import { MODERN_REVISION } from './revisions.ts';
import { endSession, type LegacyRoom, serveLegacyPost, serveStream } from './serve-legacy.ts';
import { type ModernRoom, serveModernPost } from './serve-modern.ts';
import { MESSAGES_PATH, type SseClient, type SseRoom, serveSsePost, serveSseStream } from './serve-sse.ts';
import { Sessions } from './sessions.ts';

export interface StdioBackendOptions {
  /** Only `proxy` is read. */
  readonly plan: Pick<Plan, 'proxy'>;
  readonly log: ProxyLog;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Longer lines of the server are thrown away. 64 MiB when absent. */
  readonly maxLineBytes?: number;
  /** How often open streams get a comment. 15 s when absent. */
  readonly keepAliveMs?: number;
}

/** A server behind standard streams. The process may come and go below it; sessions and URL stay. */
export interface StdioBackend extends Backend {
  /** Takes the streams of a new life of the process and initialises it. */
  attach(streams: AttachedStreams): void;
  /** The process is gone: calls under way are answered with an error that names the reason. */
  detach(reason: string): void;
  owns(path: string): boolean;
  isAvailable(): boolean;
  /** How much is held just now, for reports and tests. */
  readonly held: {
    readonly calls: number;
    readonly requests: number;
    readonly clients: number;
    readonly sessions: number;
    readonly waiting: number;
  };
}

const MAX_LINE_BYTES = 64 * 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;
/** A client gets at least the head of its answer in this time: some give up without. */
const HEADERS_WITHIN_MS = 100_000;

/**
 * Makes the end of the chain for a stdio server (contract 5): one process, many clients, in all revisions.
 */
export function createStdioBackend(options: StdioBackendOptions): StdioBackend {
  const { plan, log, now = Date.now } = options;
  const { proxy } = plan;
  const hub = new Hub({
    requestTimeoutMs: proxy.requestTimeoutMs,
    maxLineBytes: options.maxLineBytes ?? MAX_LINE_BYTES,
    log,
  });
  const sessions = new Sessions(proxy.sessionTtlMs, now, (session) => hub.leave(session));
  const waiting = new Set<PostReply>();
  const listeners: ModernRoom['streams'] = new Set();
  const parked = new ParkedCalls((client) => hub.leave(client));
  const sseStreams = new Map<string, SseClient>();
  const legacy: LegacyRoom = { hub, sessions, now, isStateless: proxy.stateless, waiting };
  const tools = new KnownTools(hub, now);
  const modern: ModernRoom = { hub, waiting, streams: listeners, parked, tools };
  const sse: SseRoom = { hub, proxy, now, streams: sseStreams };
  const isSse = proxy.mode === 'sse';

  const keepAlive = (): void => {
    for (const session of sessions.list()) session.keepAlive();
    for (const client of sseStreams.values()) client.keepAlive();
    for (const stream of listeners) stream.keepAlive();
    for (const reply of waiting) if (reply.ageMs > HEADERS_WITHIN_MS) reply.startWaiting();
  };
  const timers = [
    setInterval(keepAlive, options.keepAliveMs ?? KEEP_ALIVE_MS),
    setInterval(() => sessions.sweep(), sessions.sweepMs),
  ];
  for (const timer of timers) timer.unref();

  return {
    attach: (streams) => hub.attach(streams),
    detach: (reason) => hub.detach(reason),
    owns: (path) => isSse && path === MESSAGES_PATH,
    isAvailable: () => hub.isReady,
    handle: (exchange) => (isSse ? serveSse(sse, exchange) : serveStreamable(legacy, modern, exchange)),
    probe: (signal) => probe(hub, signal),
    listTools: (signal): Promise<readonly ListedTool[]> => listTools(hub, signal),
    get held() {
      return { ...hub.held, sessions: sessions.size, waiting: waiting.size };
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      parked.close();
      hub.detach('the proxy is stopping');
      sessions.endAll();
      for (const client of sseStreams.values()) client.close();
    },
  };
}

async function serveStreamable(legacy: LegacyRoom, modern: ModernRoom, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  if (request.method === 'POST') {
    const body = await readBody(exchange);
    if (body === undefined) return;
    const { message } = body;
    if (message && isModern(exchange, message)) return serveModernPost(modern, exchange, message);
    return serveLegacyPost(legacy, exchange, body);
  }
  const version = request.headers['mcp-protocol-version'];
  const hasNone = legacy.isStateless || (typeof version === 'string' && version >= MODERN_REVISION);
  if (hasNone) return refuseMethod(exchange);
  if (request.method === 'GET') return serveStream(legacy, exchange);
  if (request.method === 'DELETE') return endSession(legacy, exchange);
  refuseMethod(exchange, 'GET, POST, DELETE');
}

async function serveSse(room: SseRoom, exchange: Exchange): Promise<void> {
  const isMessages = exchange.path.endsWith(MESSAGES_PATH);
  const { method } = exchange.request;
  if (method === 'GET' && !isMessages) return serveSseStream(room, exchange);
  if (method === 'POST' && isMessages) return serveSsePost(room, exchange);
  refuseMethod(exchange, isMessages ? 'POST' : 'GET');
}

/** Waits until the server is initialised. Its end may be followed by a new life, so only refusals end the wait. */
async function probe(hub: Hub, signal: AbortSignal): Promise<ServerDescription> {
  for (;;) {
    const { greeting, refusal } = hub;
    if (greeting) {
      const { name, version, protocolVersion } = greeting;
      return { name, version, protocolVersion };
    }
    if (refusal) throw refusal;
    if (!hub.isAttached || signal.aborted) {
      const what = hub.isAttached ? 'The server does not answer initialize.' : 'The server is not running.';
      throw new BerthError('server_unreachable', what);
    }
    await Promise.race([
      hub.changed(),
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
    ]);
  }
}
