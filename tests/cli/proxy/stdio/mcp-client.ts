import { type OpenReply, openAnswer } from '../start-test-proxy.ts';
import { waitFor } from './start-stdio-proxy.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
type Any = any;

export interface Event {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

/** The complete events of a stream so far. */
export function readEvents(text: string): Event[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks
    .map((block) => {
      const lines = block.split('\n');
      const valuesOf = (name: string) =>
        lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
      return { id: valuesOf('id')[0], event: valuesOf('event')[0], data: valuesOf('data').join('\n') };
    })
    .filter(({ data }) => data !== '');
}

/** One answer under way: JSON or events. */
export class Answer {
  readonly open: OpenReply;

  constructor(open: OpenReply) {
    this.open = open;
  }
  get status(): number {
    return this.open.status;
  }
  header(name: string): string | undefined {
    const value = this.open.response.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }
  get isStream(): boolean {
    return this.header('content-type') === 'text/event-stream';
  }
  get events(): Event[] {
    return readEvents(this.open.text());
  }
  /** Every message so far. */
  get messages(): Any[] {
    if (this.isStream) return this.events.map(({ data }) => JSON.parse(data));
    const text = this.open.text();
    return text === '' ? [] : [JSON.parse(text)].flat();
  }
  /** Waits for the end, and answers the last message. */
  async last(): Promise<Any> {
    await waitFor(() => this.open.ended(), 'the end of the answer');
    return this.messages.at(-1);
  }
  async until(found: (messages: Any[]) => boolean, what = 'the message'): Promise<Any[]> {
    await waitFor(() => found(this.messages), what);
    return this.messages;
  }
  cut(): void {
    this.open.request.destroy();
  }
}

let counter = 0;

/** A client of streamable HTTP. Every byte is visible. */
export class McpClient {
  readonly url: string;
  readonly name: string;
  session: string | undefined;
  readonly extra: Record<string, string> = {};
  /** Requests of the server this client saw, on whatever stream. */
  readonly opened: Answer[] = [];

  constructor(url: string, name = `client-${++counter}`) {
    this.url = url;
    this.name = name;
  }

  async post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const own = this.session === undefined ? {} : { 'mcp-session-id': this.session };
    const answer = new Answer(
      await openAnswer(this.url, { body, headers: { ...own, ...this.extra, ...headers } }),
    );
    this.opened.push(answer);
    return answer;
  }

  async initialize(
    version = '2025-11-25',
    capabilities: unknown = { sampling: {}, roots: {} },
  ): Promise<Any> {
    const params = { protocolVersion: version, capabilities, clientInfo: { name: this.name, version: '1' } };
    const answer = await this.post({ jsonrpc: '2.0', id: 'init', method: 'initialize', params });
    const message = await answer.last();
    this.session = answer.header('mcp-session-id');
    await (await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' })).last();
    return message.result;
  }

  request(method: string, params: unknown, id: string | number = 1): Promise<Answer> {
    return this.post({ jsonrpc: '2.0', id, method, params });
  }

  call(name: string, args: unknown = {}, id: string | number = 1, meta?: unknown): Promise<Answer> {
    const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
    return this.request('tools/call', params, id);
  }

  /** The text of a tool's answer. */
  async tool(name: string, args: unknown = {}, id: string | number = 1): Promise<string> {
    const message = await (await this.call(name, args, id)).last();
    if (message?.error) throw new Error(`${message.error.code} ${message.error.message}`);
    return message.result.content[0].text;
  }

  async state(): Promise<Any> {
    return JSON.parse(await this.tool('state'));
  }

  async listen(lastEventId?: string): Promise<Answer> {
    const headers = {
      accept: 'text/event-stream',
      ...(this.session === undefined ? {} : { 'mcp-session-id': this.session }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    const answer = new Answer(await openAnswer(this.url, { headers }));
    this.opened.push(answer);
    return answer;
  }

  async end(): Promise<number> {
    const headers: Record<string, string> =
      this.session === undefined ? {} : { 'mcp-session-id': this.session };
    return (await openAnswer(this.url, { method: 'DELETE', headers })).status;
  }

  /** Everything this client was ever sent. */
  get heard(): string {
    return this.opened.map(({ open }) => open.text()).join('\n');
  }
}

export async function connect(url: string, name?: string): Promise<McpClient> {
  const client = new McpClient(url, name);
  await client.initialize();
  return client;
}

const KEY = 'io.modelcontextprotocol/';
export const MODERN = '2026-07-28';

/** A request of revision 2026-07-28 with its headers. Null removes a header or a member of `_meta`. */
export async function postModern(
  url: string,
  method: string,
  params: Record<string, unknown> = {},
  options: {
    id?: string | number;
    headers?: Record<string, string | null>;
    meta?: Record<string, unknown>;
  } = {},
): Promise<Answer> {
  const meta: Record<string, unknown> = {
    [`${KEY}protocolVersion`]: MODERN,
    [`${KEY}clientInfo`]: { name: 'modern', version: '1' },
    [`${KEY}clientCapabilities`]: {},
    ...options.meta,
  };
  const name = params.name ?? params.uri;
  const headers: Record<string, string | null> = {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    'mcp-name': typeof name === 'string' ? name : null,
    ...options.headers,
  };
  const given = (from: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(from).filter(([, value]) => value !== null));
  const body = { jsonrpc: '2.0', id: options.id ?? 1, method, params: { ...params, _meta: given(meta) } };
  return new Answer(await openAnswer(url, { body, headers: given(headers) as Record<string, string> }));
}
