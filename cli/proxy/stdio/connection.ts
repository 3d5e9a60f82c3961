import type { AttachedStreams } from '../../engine/engine.ts';
import { createLineReader, type LongLine } from './line-reader.ts';

/** What waits for a server that does not read; more is refused. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** How long the last lines may take to arrive after the engine said that the streams are closed. */
const LAST_LINES_MS = 250;
const LINE_END = Buffer.from('\n');

export interface ConnectionHandlers {
  onLine(line: Buffer): void;
  onLong(line: LongLine): void;
  /** Called once. */
  onGone(reason: string): void;
}

/** The standard streams of one life of the process. */
export class Connection {
  readonly #streams: AttachedStreams;
  readonly #handlers: ConnectionHandlers;
  #isOpen = true;
  #isCorked = false;

  constructor(streams: AttachedStreams, maxLineBytes: number, handlers: ConnectionHandlers) {
    this.#streams = streams;
    this.#handlers = handlers;
    const read = createLineReader(
      maxLineBytes,
      (line) => this.#isOpen && handlers.onLine(line),
      (line) => this.#isOpen && handlers.onLong(line),
    );
    const gone = (): void => this.end('the server ended');
    streams.stdout.on('data', read);
    streams.stdout.once('end', gone);
    streams.stdout.once('close', gone);
    streams.stdout.on('error', gone);
    // A server that closed its input still may answer; writing to it is what fails.
    streams.stdin.on('error', () => setTimeout(gone, LAST_LINES_MS).unref());
    streams.closed.then(
      () => setTimeout(gone, streams.stdout.readableEnded ? 0 : LAST_LINES_MS).unref(),
      gone,
    );
  }

  /** Whether one more message may be written. */
  get isReading(): boolean {
    return (
      this.#isOpen && this.#streams.stdin.writable && this.#streams.stdin.writableLength < MAX_WAITING_BYTES
    );
  }

  /** Writes one message. It must hold no line break. */
  write(message: Buffer): void {
    const { stdin } = this.#streams;
    if (!this.#isOpen || !stdin.writable) return;
    // Everything that came in one turn of the event loop goes out in one system call.
    if (!this.#isCorked) {
      this.#isCorked = true;
      stdin.cork();
      setImmediate(() => {
        this.#isCorked = false;
        stdin.uncork();
      });
    }
    stdin.write(message);
    stdin.write(LINE_END);
  }

  /** Stops reading; tells the handlers when that is news. */
  end(reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#streams.destroy();
    this.#handlers.onGone(reason);
  }
}
