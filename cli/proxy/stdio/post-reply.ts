import type { Exchange } from '../exchange.ts';
import type { AcceptedTypes } from './accepted-types.ts';
import type { Reply } from './client.ts';
import { EventStream } from './event-stream.ts';
import type { Message } from './message.ts';
import { formatEvent, Outlet } from './outlet.ts';

export interface PostReplyOptions {
  readonly exchange: Exchange;
  readonly accepted: AcceptedTypes;
  /** How many answers belong to it: 1, or the requests of a batch. */
  readonly expected: number;
  readonly isBatch: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes the stream when one is needed; undefined for a stream that cannot be resumed. */
  readonly openStream: (() => EventStream) | undefined;
  /** Called when the client closed the connection before the last answer. */
  readonly onCut: (reply: PostReply) => void;
}

/**
 * The HTTP answer of one POST: JSON, or events from the first message that comes ahead of the answer.
 */
export class PostReply implements Reply {
  readonly #options: PostReplyOptions;
  readonly #outlet: Outlet;
  #answers: Buffer[] = [];
  #missing: number;
  #stream: EventStream | undefined;
  #isCut = false;
  /** Resolves when nothing more is written. */
  readonly finished: Promise<void>;

  constructor(options: PostReplyOptions) {
    this.#options = options;
    this.#outlet = new Outlet(options.exchange);
    this.#missing = options.expected;
    const { response } = this.#outlet;
    this.finished = new Promise((resolve) => {
      const close = (): void => {
        const wasCut = !response.writableFinished && this.#missing > 0;
        if (wasCut && !this.#isCut) {
          this.#isCut = true;
          options.onCut(this);
        }
        resolve();
      };
      if (response.destroyed) setImmediate(close);
      else response.once('close', close);
    });
  }

  /** Milliseconds since it was asked for. */
  get ageMs(): number {
    return performance.now() - this.#options.exchange.startedAt;
  }

  relate(bytes: Buffer): boolean {
    if (!this.#options.accepted.events || this.#missing === 0) return false;
    if (this.#isCut && this.#stream === undefined) return false;
    const stream = this.#startEvents();
    this.#outlet.deliver(bytes, (filtered) => stream.append(filtered));
    return true;
  }

  answer(bytes: Buffer, _message: Message | undefined, status: number): void {
    if (this.#missing === 0) return;
    this.#missing -= 1;
    const isLast = this.#missing === 0;
    if (this.#isCut && this.#stream === undefined) return;
    this.#outlet.deliver(bytes, (filtered) => this.#write(filtered, status, isLast));
  }

  drop(): void {
    if (this.#missing === 0) return;
    this.#missing -= 1;
    if (this.#missing > 0 || (this.#isCut && this.#stream === undefined)) return;
    this.#outlet.after(() => this.#finish(200));
  }

  /** Begins the stream ahead of any message, so that the client sees that the call lives. */
  startWaiting(): void {
    if (this.#options.accepted.events && this.#missing > 0 && !this.#isCut) this.#startEvents();
  }

  #startEvents(): EventStream {
    if (this.#stream) return this.#stream;
    const { openStream, headers } = this.#options;
    this.#stream =
      openStream?.() ?? new EventStream({ idPrefix: undefined, maxEvents: 0, maxBytes: 0, isFiltered: true });
    this.#outlet.startEvents(headers);
    this.#stream.attach(this.#outlet, undefined);
    return this.#stream;
  }

  #write(bytes: Buffer, status: number, isLast: boolean): void {
    const { accepted, isBatch } = this.#options;
    if (this.#stream) {
      this.#stream.append(bytes);
      if (isLast) this.#stream.end();
      return;
    }
    if (!accepted.json && status === 200) {
      this.#outlet.startEvents(this.#options.headers);
      this.#outlet.writeFrame(formatEvent(bytes, undefined));
      if (isLast) this.#outlet.response.end();
      return;
    }
    this.#answers.push(bytes);
    if (isLast) this.#finish(isBatch ? 200 : status);
  }

  #finish(status: number): void {
    const { response } = this.#outlet;
    if (this.#stream) {
      this.#stream.end();
      return;
    }
    if (response.headersSent || response.destroyed) {
      response.end();
      return;
    }
    if (this.#answers.length === 0) {
      this.#finishWithout();
      return;
    }
    const body = this.#options.isBatch ? joinBatch(this.#answers) : (this.#answers[0] ?? Buffer.alloc(0));
    this.#answers = [];
    response.writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...this.#options.headers,
      'content-length': body.length,
    });
    response.end(body);
  }

  /** Every call was cancelled: no answer is owed, and the connection must not stay open. */
  #finishWithout(): void {
    if (this.#options.accepted.events) {
      this.#outlet.startEvents(this.#options.headers);
      this.#outlet.response.end();
    } else {
      this.#outlet.response.writeHead(202, { ...this.#options.headers, 'content-length': 0 }).end();
    }
  }
}

function joinBatch(answers: readonly Buffer[]): Buffer {
  const pieces: Buffer[] = [];
  for (const answer of answers) pieces.push(Buffer.from(pieces.length === 0 ? '[' : ','), answer);
  return Buffer.concat([...pieces, Buffer.from(']')]);
}
