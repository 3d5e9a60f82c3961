import type { ServerResponse } from 'node:http';
import type { Exchange } from '../exchange.ts';
import { filterMessage } from '../http/filter-message.ts';

/** A client that reads so slowly that this much waits for it is cut off; it may resume. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

/** Where one HTTP answer is written. Messages pass the exchange's filters on the way, in order. */
export class Outlet {
  readonly exchange: Exchange;
  readonly response: ServerResponse;
  #tail: Promise<void> | undefined;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    this.response = exchange.response;
  }

  get isOpen(): boolean {
    return !this.response.destroyed && !this.response.writableEnded;
  }

  /** Calls `write` with what the filters made of the message, after all earlier ones. A filter that fails ends it. */
  deliver(message: Buffer, write: (filtered: Buffer) => void): void {
    const { answerFilters, answerObservers } = this.exchange;
    if (this.#tail === undefined && answerFilters.length === 0 && answerObservers.length === 0) {
      write(message);
      return;
    }
    const tail = (this.#tail ?? Promise.resolve())
      .then(() => filterMessage(message, this.exchange))
      .then(write)
      .catch(() => void this.response.destroy())
      .then(() => {
        if (this.#tail === tail) this.#tail = undefined;
      });
    this.#tail = tail;
  }

  /** Calls back once everything before is written. */
  after(act: () => void): void {
    if (this.#tail === undefined) act();
    else void this.#tail.then(act);
  }

  startEvents(headers: Readonly<Record<string, string>> = {}): void {
    if (this.response.headersSent || this.response.destroyed) return;
    this.response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...headers,
    });
    this.response.flushHeaders();
  }

  /** Writes a frame; cuts off a client that does not read. */
  writeFrame(frame: Buffer | string): void {
    if (!this.isOpen) return;
    this.response.write(frame);
    if (this.response.writableLength > MAX_WAITING_BYTES) this.response.destroy();
  }
}

const DATA = Buffer.from('event: message\ndata: ');
const FRAME_END = Buffer.from('\n\n');

/** One event. A carriage return, which JSON allows between tokens, would end a line of the stream. */
export function formatEvent(data: Buffer, id: string | undefined): Buffer {
  const safe = data.includes(0x0d) || data.includes(0x0a) ? withoutBreaks(data) : data;
  const head = id === undefined ? DATA : Buffer.from(`id: ${id}\nevent: message\ndata: `);
  return Buffer.concat([head, safe, FRAME_END]);
}

function withoutBreaks(data: Buffer): Buffer {
  const safe = Buffer.from(data);
  for (const [at, byte] of safe.entries()) if (byte === 0x0d || byte === 0x0a) safe[at] = 0x20;
  return safe;
}
