import { isAnswerTo, isRequest, type Message, makeError, readMessage } from './bridged-message.ts';
import { asLine, fetchPatiently, type Link, type LinkOptions, readEvents, wait } from './link.ts';

const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

interface Pending {
  readonly message: Message;
  readonly settle: () => void;
  /** The answer to a handshake that the client did not ask for is not for it. */
  readonly isHidden: boolean;
}

/** The older SSE transport: one stream that brings everything, and a URL to post to that it names. */
export class SseLink implements Link {
  readonly #options: LinkOptions;
  readonly #closing = new AbortController();
  readonly #pending = new Set<Pending>();
  #initialize: { line: Buffer; message: Message } | undefined;
  #endpoint: URL | undefined;
  #waiting: (() => void)[] = [];
  #failure: unknown;
  #isReady = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    void this.#follow();
  }

  async send(line: Buffer, message: Message): Promise<void> {
    if (message.method === 'initialize') this.#initialize = { line, message };
    await this.#ready();
    await this.#post(line, message, false);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake();
  }

  async #post(line: Buffer, message: Message, isHidden: boolean): Promise<void> {
    const { fetch, headers } = this.#options;
    if (!this.#endpoint) throw new Error('The server is not connected.');
    let settle = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const pending: Pending = { message, settle, isHidden };
    if (isRequest(message)) this.#pending.add(pending);
    else settle();
    try {
      const accepted = await fetchPatiently(fetch, this.#endpoint, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: line,
        signal: this.#closing.signal,
      });
      const text = await accepted.text();
      if (!accepted.ok) throw new Error(readMessage(text)?.error?.message ?? `HTTP ${accepted.status}`);
    } catch (error) {
      this.#pending.delete(pending);
      throw error;
    }
    await answered;
  }

  async #follow(): Promise<void> {
    const { fetch, url, headers, retryMs = 1000 } = this.#options;
    const { signal } = this.#closing;
    let isFirst = true;
    while (!signal.aborted) {
      try {
        const answer = await fetchPatiently(fetch, url, {
          headers: { ...headers, accept: 'text/event-stream' },
          signal,
        });
        if (!answer.ok) {
          await answer.text();
          throw new Error(`The server answered with HTTP ${answer.status}.`);
        }
        for await (const { event, data } of readEvents(answer.body)) {
          if (event === 'endpoint') {
            this.#connect(new URL(data, url), isFirst);
            isFirst = false;
          } else if (readMessage(data) !== undefined) this.#take(data);
        }
        this.#lose(new Error('The server ended the connection.'));
      } catch (error) {
        this.#lose(error);
      }
      await wait(retryMs, signal);
    }
  }

  #connect(endpoint: URL, isFirst: boolean): void {
    // Headers may hold a token, which is for this server alone.
    if (endpoint.origin !== this.#options.url.origin)
      throw new Error('The server names another server to post to.');
    this.#endpoint = endpoint;
    this.#failure = undefined;
    if (isFirst || !this.#initialize) {
      this.#wake();
      return;
    }
    const { line, message } = this.#initialize;
    void this.#post(line, message, true)
      .then(() => this.#post(Buffer.from(INITIALIZED), { method: 'notifications/initialized' }, true))
      .catch(() => undefined)
      .then(() => this.#wake());
  }

  #take(data: string): void {
    const message = readMessage(data) ?? {};
    const pending = [...this.#pending].find((one) => isAnswerTo(message, one.message));
    if (pending) this.#pending.delete(pending);
    if (!pending?.isHidden) this.#options.write(asLine(data));
    pending?.settle();
  }

  #lose(error: unknown): void {
    this.#endpoint = undefined;
    this.#failure = error;
    for (const { message, settle, isHidden } of this.#pending) {
      if (!isHidden)
        this.#options.write(makeError(message.id, -32000, 'The server was lost before it answered.'));
      settle();
    }
    this.#pending.clear();
    this.#wake();
  }

  async #ready(): Promise<void> {
    if (!this.#isReady) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (!this.#isReady) throw this.#failure ?? new Error('The server is not connected.');
  }

  #wake(): void {
    this.#isReady = this.#endpoint !== undefined;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
