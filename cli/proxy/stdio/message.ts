import { compilePaths, locateSpans, type Span } from '../json/find-spans.ts';
import { listElements } from '../json/list-elements.ts';
import { skipSpace } from '../json/skip-value.ts';
import { type Edit, splice } from '../json/splice.ts';
import { META } from './revisions.ts';

/** The places of a message that the proxy reads or replaces; one pass finds all of them. */
const PLACES = {
  id: ['id'],
  method: ['method'],
  result: ['result'],
  error: ['error'],
  errorCode: ['error', 'code'],
  params: ['params'],
  requestId: ['params', 'requestId'],
  progressToken: ['params', 'progressToken'],
  uri: ['params', 'uri'],
  name: ['params', 'name'],
  arguments: ['params', 'arguments'],
  level: ['params', 'level'],
  taskId: ['params', 'taskId'],
  requestState: ['params', 'requestState'],
  protocolVersion: ['params', 'protocolVersion'],
  capabilities: ['params', 'capabilities'],
  meta: ['params', '_meta'],
  callToken: ['params', '_meta', 'progressToken'],
  relatedTask: ['params', '_meta', META.relatedTask, 'taskId'],
  subscriptionId: ['params', '_meta', META.subscriptionId],
} as const;
type Place = keyof typeof PLACES;
const NAMES = Object.keys(PLACES).filter((name): name is Place => Object.hasOwn(PLACES, name));
const INDEX = new Map(NAMES.map((name, index) => [name, index]));
const COMPILED = compilePaths(NAMES.map((name) => PLACES[name]));

/** One JSON-RPC message: its exact bytes, and where in them the proxy has to look. */
export class Message {
  readonly bytes: Buffer;
  /** `invalid`: JSON, but no JSON-RPC message. */
  readonly kind: 'request' | 'notification' | 'answer' | 'invalid';
  readonly method: string | undefined;
  readonly #spans: readonly (Span | undefined)[];

  constructor(bytes: Buffer, spans: readonly (Span | undefined)[]) {
    this.bytes = bytes;
    this.#spans = spans;
    const method = this.read('method');
    this.method = typeof method === 'string' ? method : undefined;
    this.kind = this.#classify();
  }

  span(place: Place): Span | undefined {
    return this.#spans[INDEX.get(place) ?? -1];
  }

  /** The text of a member exactly as it is written. */
  text(place: Place): string | undefined {
    const span = this.span(place);
    return span && this.bytes.toString('utf8', span.start, span.end);
  }

  /** The value of a member. */
  read(place: Place): unknown {
    const text = this.text(place);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** The value of a member when it is a string. */
  string(place: Place): string | undefined {
    const value = this.read(place);
    return typeof value === 'string' ? value : undefined;
  }

  /** The same bytes with some members replaced, each by JSON text. Members that are not there are left out. */
  replace(texts: Partial<Record<Place, string | undefined>>): Buffer {
    const edits: Edit[] = [];
    for (const name of NAMES) {
      const text = texts[name];
      const span = text === undefined ? undefined : this.span(name);
      if (span !== undefined && text !== undefined) edits.push({ ...span, text });
    }
    return splice(this.bytes, edits);
  }

  /** The message with some members replaced. */
  with(texts: Partial<Record<Place, string | undefined>>): Message {
    return readMessage(this.replace(texts)) ?? this;
  }

  #classify(): Message['kind'] {
    const id = this.span('id');
    const first = id === undefined ? undefined : this.bytes[id.start];
    // A string, or a number: a digit or the minus sign.
    const isId = first === 0x22 || first === 0x2d || (first !== undefined && first >= 0x30 && first <= 0x39);
    if (this.span('method') !== undefined) {
      if (this.method === undefined) return 'invalid';
      if (id === undefined) return 'notification';
      return isId ? 'request' : 'invalid';
    }
    const isAnswer = this.span('result') !== undefined || this.span('error') !== undefined;
    return isAnswer && isId ? 'answer' : 'invalid';
  }
}

/** Reads one message; undefined when the bytes are no JSON object. */
export function readMessage(bytes: Buffer): Message | undefined {
  if (bytes[skipSpace(bytes, 0, bytes.length)] !== 0x7b) return undefined;
  const spans = locateSpans(bytes, COMPILED);
  return spans && new Message(bytes, spans);
}

/** The messages of a batch; undefined when the bytes are no JSON array. Elements that are no objects are undefined. */
export function readBatch(bytes: Buffer): (Message | undefined)[] | undefined {
  if (bytes[skipSpace(bytes, 0, bytes.length)] !== 0x5b || locateSpans(bytes, []) === undefined)
    return undefined;
  return listElements(bytes, { start: 0, end: bytes.length }).map(({ start, end }) =>
    readMessage(bytes.subarray(start, end)),
  );
}

/** Two ids are the same when they have the same key: a string by its value, a number as it is written. */
export function keyOfId(text: string): string {
  return text.startsWith('"') ? JSON.stringify(JSON.parse(text)) : text;
}

/** One line for the server: line breaks of JSON stand between its tokens only, so blanks do as well. */
export function asLine(bytes: Buffer): Buffer {
  if (!bytes.includes(0x0a) && !bytes.includes(0x0d)) return bytes;
  const line = Buffer.from(bytes);
  for (const [at, byte] of line.entries()) if (byte === 0x0a || byte === 0x0d) line[at] = 0x20;
  return line;
}

/** A JSON-RPC error whose id is written as the request had it. */
export function formatError(idText: string, code: number, message: string, data?: unknown): Buffer {
  const error = data === undefined ? { code, message } : { code, message, data };
  return Buffer.from(`{"jsonrpc":"2.0","id":${idText},"error":${JSON.stringify(error)}}`);
}

export function formatResult(idText: string, result: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${idText},"result":${result}}`);
}
