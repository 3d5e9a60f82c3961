import { encodeHeader } from '../proxy/match-mcp-headers.ts';
import {
  agreedVersion,
  isAnswerTo,
  isRequest,
  type Message,
  makeError,
  modernHeaders,
  readMessage,
} from './bridged-message.ts';
import { asLine, fetchPatiently, type Link, type LinkOptions, readEvents, wait } from './link.ts';

type Answer = Awaited<ReturnType<LinkOptions['fetch']>>;
type Deliver = (line: string) => void;

const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const RESUMPTIONS = 5;

/** Streamable HTTP: a POST per message, its answer as JSON or events, and a stream for what the server says on its own. */
export class HttpLink implements Link {
  readonly #options: LinkOptions;
  readonly #closing = new AbortController();
  #session: string | undefined;
  #version: string | undefined;
  /** What the client began with; a lost session is begun with it again. */
  #initialize: { line: Buffer; message: Message } | undefined;
  #renewal: Promise<void> | undefined;
  #stream: AbortController | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  async send(line: Buffer, message: Message): Promise<void> {
    await this.#renewal?.catch(() => undefined);
    if (message.method === 'initialize') {
      this.#session = undefined;
      this.#version = undefined;
      this.#initialize = { line, message };
    }
    const used = this.#session;
    let answer = await this.#post(line, message);
    if (answer.status === 404 && used !== undefined && this.#initialize) {
      await answer.text();
      await this.#renew(used);
      answer = await this.#post(line, message);
    }
    await this.#deliverAnswer(answer, message, this.#options.write);
    if (message.method === 'notifications/initialized') this.#listen();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stream?.abort();
    if (this.#session === undefined) return;
    const { fetch, url } = this.#options;
    const headers = this.#headers({});
    await fetch(url, { method: 'DELETE', headers, signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  }

  async #renew(lost: string): Promise<void> {
    if (this.#session !== lost) return;
    this.#renewal ??= this.#begin().finally(() => {
      this.#renewal = undefined;
    });
    await this.#renewal;
  }

  /** The handshake of the client again, without the client noticing. */
  async #begin(): Promise<void> {
    if (!this.#initialize) return;
    const { line, message } = this.#initialize;
    this.#session = undefined;
    this.#version = undefined;
    await this.#deliverAnswer(await this.#post(line, message), message, () => undefined);
    const accepted = await this.#post(Buffer.from(INITIALIZED), { method: 'notifications/initialized' });
    await accepted.text();
    this.#listen();
  }

  #post(line: Buffer, message: Message): Promise<Answer> {
    const { fetch, url } = this.#options;
    const { 'mcp-name': name, ...modern } = modernHeaders(message);
    const headers = this.#headers({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...modern,
      ...(name === undefined ? {} : { 'mcp-name': encodeHeader(name) }),
    });
    return fetchPatiently(fetch, url, { method: 'POST', headers, body: line, signal: this.#closing.signal });
  }

  #headers(more: Readonly<Record<string, string>>): Record<string, string> {
    return {
      ...this.#options.headers,
      ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      ...(this.#version === undefined ? {} : { 'mcp-protocol-version': this.#version }),
      ...more,
    };
  }

  async #deliverAnswer(answer: Answer, message: Message, deliver: Deliver): Promise<void> {
    if (message.method === 'initialize' && answer.ok) {
      this.#session = answer.headers.get('mcp-session-id') ?? undefined;
    }
    if (answer.ok && isEventStream(answer)) return this.#deliverEvents(answer, message, deliver);
    const text = await answer.text();
    if (answer.ok && text.trim() === '' && !isRequest(message)) return;
    const body = readMessage(text);
    if (answer.ok && body) {
      this.#notice(body, message);
      deliver(asLine(text));
      return;
    }
    if (body?.error && body.id === message.id && isRequest(message)) return deliver(asLine(text));
    const { code, message: said } = body?.error ?? {
      code: -32000,
      message: `The server answered with HTTP ${answer.status}.`,
    };
    if (!isRequest(message)) throw new Error(said);
    deliver(makeError(message.id, code, said));
  }

  async #deliverEvents(first: Answer, message: Message, deliver: Deliver): Promise<void> {
    let answer = first;
    let last: string | undefined;
    for (let attempt = 0; attempt <= RESUMPTIONS; attempt++) {
      try {
        for await (const { id, data } of readEvents(answer.body)) {
          if (id !== undefined) last = id;
          const body = readMessage(data);
          if (body === undefined) continue;
          this.#notice(body, message);
          deliver(asLine(data));
          if (isAnswerTo(body, message)) return;
        }
      } catch (error) {
        if (last === undefined) throw error;
      }
      if (!isRequest(message)) return;
      if (last === undefined || this.#closing.signal.aborted) break;
      await wait(this.#options.retryMs ?? 1000, this.#closing.signal);
      answer = await this.#get(last, this.#closing.signal);
      if (!answer.ok || !isEventStream(answer)) break;
    }
    throw new Error('The server ended its answer before it was complete.');
  }

  /** Takes from the answer to `initialize` what later requests have to say. */
  #notice(body: Message, message: Message): void {
    if (message.method === 'initialize' && isAnswerTo(body, message)) this.#version = agreedVersion(body);
  }

  #get(last: string | undefined, signal: AbortSignal): Promise<Answer> {
    const headers = this.#headers({
      accept: 'text/event-stream',
      ...(last === undefined ? {} : { 'last-event-id': last }),
    });
    return fetchPatiently(this.#options.fetch, this.#options.url, { method: 'GET', headers, signal });
  }

  /** Follows what the server says on its own, if it offers that, until the session ends. */
  #listen(): void {
    this.#stream?.abort();
    const stream = new AbortController();
    this.#stream = stream;
    void this.#follow(stream.signal).catch(() => undefined);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    let last: string | undefined;
    while (!signal.aborted && !this.#closing.signal.aborted) {
      try {
        const used = this.#session;
        const answer = await this.#get(last, signal);
        if (!answer.ok || !isEventStream(answer)) {
          await answer.text();
          // A renewal begins a stream of its own.
          if (answer.status === 404 && used !== undefined) await this.#renew(used);
          if (answer.status < 500) return;
        } else {
          for await (const { id, data } of readEvents(answer.body)) {
            if (id !== undefined) last = id;
            if (readMessage(data) !== undefined) this.#options.write(asLine(data));
          }
        }
      } catch {
        // The server is gone for a moment; the next round finds out.
      }
      await wait(this.#options.retryMs ?? 1000, signal);
    }
  }
}

function isEventStream(answer: Answer): boolean {
  return answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}
