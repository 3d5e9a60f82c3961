import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Message } from './bridged-message.ts';

/** A connection of the bridge to a server. */
export interface Link {
  /**
   * Sends a message. Settles when a notification is accepted, and when a request is answered; the answer goes to
   * `LinkOptions.write`.
   * @throws Error when it cannot be delivered
   */
  send(line: Buffer, message: Message): Promise<void>;
  /** Ends the session, within two seconds. */
  close(): Promise<void>;
}

export interface LinkOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof import('undici').fetch;
  /** Takes one message for the client. */
  readonly write: (line: string) => void;
  /** Milliseconds before another attempt to reach a server that is gone; for tests. Default: 1000. */
  readonly retryMs?: number;
}

/** How long a server that is being restarted is waited for, in milliseconds. */
const RESTART_MS = 5000;

/** The events of a stream; also tells what `retry` asked for. */
export async function* readEvents(
  body: AsyncIterable<Uint8Array> | null,
): AsyncGenerator<EventSourceMessage> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* events.splice(0);
  }
}

/** Newlines in a JSON text are blanks between its parts; on the way to the client they would end the message. */
export function asLine(json: string): string {
  return json.replace(/[\r\n]+/g, '');
}

/** Sends a request; while nobody listens it is tried again, because then nothing can have been done twice. */
export async function fetchPatiently(
  fetch: LinkOptions['fetch'],
  url: URL,
  init: NonNullable<Parameters<LinkOptions['fetch']>[1]>,
): Promise<Awaited<ReturnType<LinkOptions['fetch']>>> {
  const until = Date.now() + RESTART_MS;
  for (;;) {
    try {
      return await fetch(url, { redirect: 'manual', ...init });
    } catch (error) {
      const inner = error instanceof Error ? error.cause : undefined;
      const isRefused = inner instanceof Error && 'code' in inner && inner.code === 'ECONNREFUSED';
      if (!isRefused || Date.now() > until || init.signal?.aborted) throw inner ?? error;
      await wait(250, init.signal ?? undefined);
    }
  }
}

/** Waits, or less when the signal comes. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
