import { randomBytes } from 'node:crypto';
import type { Call, Client } from './client.ts';
import { EventStream } from './event-stream.ts';
import { isLogLevel, reachesLevel } from './log-levels.ts';

const KEPT_EVENTS = 1000;
const KEPT_BYTES = 1024 * 1024;
/** Streams of calls, for clients whose connection broke. */
const KEPT_CALL_STREAMS = 16;
const KEPT_CALL_BYTES = 8 * 1024 * 1024;

/** A client of streamable HTTP with a session, or the stream of one client of SSE. */
export class Session implements Client {
  readonly id = randomBytes(24).toString('base64url');
  /** Names of the capabilities it declared. */
  capabilities: ReadonlySet<string>;
  readonly calls = new Set<Call>();
  readonly revision: string;
  /** Subject of who opened it; undefined while the proxy does not authenticate. */
  readonly owner: string | undefined;
  readonly stream: EventStream;
  /** As it asked with `logging/setLevel`. */
  logLevel: string | undefined;
  lastUsed: number;
  readonly #callStreams = new Map<string, EventStream>();
  #counter = 0;

  constructor(options: {
    readonly capabilities: ReadonlySet<string>;
    readonly revision: string;
    readonly owner: string | undefined;
    readonly now: number;
    /** False for SSE, where a broken stream is a closed session. */
    readonly isResumable: boolean;
  }) {
    this.capabilities = options.capabilities;
    this.revision = options.revision;
    this.owner = options.owner;
    this.lastUsed = options.now;
    this.stream = new EventStream({
      idPrefix: options.isResumable ? '' : undefined,
      maxEvents: KEPT_EVENTS,
      maxBytes: KEPT_BYTES,
      isFiltered: false,
    });
  }

  push(bytes: Buffer): void {
    this.stream.append(bytes);
  }

  isListening(): boolean {
    return this.stream.isOpen;
  }

  wantsLog(level: string): boolean {
    return !isLogLevel(this.logLevel) || reachesLevel(level, this.logLevel);
  }

  /** A stream for the answer of one call, which the client may resume by its event ids. */
  openCallStream(): EventStream {
    this.#counter += 1;
    const key = `c${this.#counter}`;
    const stream = new EventStream({
      idPrefix: `${key}-`,
      maxEvents: KEPT_EVENTS,
      maxBytes: KEPT_CALL_BYTES,
      isFiltered: true,
    });
    this.#callStreams.set(key, stream);
    this.#forgetOldStreams();
    return stream;
  }

  /** The stream an event id belongs to, and the number of the event in it. */
  findEvent(eventId: string): { readonly stream: EventStream; readonly after: number } | undefined {
    const match = /^(?:(c\d+)-)?(\d{1,15})$/.exec(eventId);
    if (match === null) return undefined;
    const [, key, number] = match;
    const stream = key === undefined ? this.stream : this.#callStreams.get(key);
    return stream && { stream, after: Number(number) };
  }

  /** Whether it is in use without having been asked: no session ends below a call or an open stream. */
  isBusy(): boolean {
    return this.calls.size > 0 || this.stream.isOpen;
  }

  keepAlive(): void {
    this.stream.keepAlive();
    for (const stream of this.#callStreams.values()) stream.keepAlive();
    this.#forgetOldStreams();
  }

  close(): void {
    this.stream.close();
    for (const stream of this.#callStreams.values()) stream.close();
    this.#callStreams.clear();
  }

  #forgetOldStreams(): void {
    const ended = [...this.#callStreams].filter(([, stream]) => stream.hasEnded && !stream.isOpen);
    let bytes = ended.reduce((sum, [, stream]) => sum + stream.keptBytes, 0);
    let count = ended.length;
    for (const [key, stream] of ended) {
      if (count <= KEPT_CALL_STREAMS && bytes <= KEPT_CALL_BYTES) break;
      bytes -= stream.keptBytes;
      count -= 1;
      this.#callStreams.delete(key);
    }
  }
}
