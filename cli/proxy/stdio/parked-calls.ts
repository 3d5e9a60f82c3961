import { randomBytes } from 'node:crypto';
import { findSpan } from '../json/find-spans.ts';
import type { Client, Reply } from './client.ts';
import { CODES } from './codes.ts';
import type { Hub } from './hub.ts';
import { formatError, type Message, readMessage } from './message.ts';

const TICKET_PREFIX = 'berth-';
/** How long a client may think about what it was asked. */
const PATIENCE_MS = 600_000;
const MAX_PARKED = 1000;

/** Whether a `requestState` is one of the proxy, rather than of the server. */
export function isParkingTicket(ticket: string | undefined): boolean {
  return ticket?.startsWith(TICKET_PREFIX) ?? false;
}

interface Parked {
  readonly call: ModernCall;
  readonly timer: NodeJS.Timeout;
}

/** Calls whose clients were told `input_required`, by the `requestState` they come back with. */
export class ParkedCalls {
  readonly #parked = new Map<string, Parked>();
  readonly #giveUp: (client: Client) => void;

  constructor(giveUp: (client: Client) => void) {
    this.#giveUp = giveUp;
  }

  /** Answers the ticket. */
  add(call: ModernCall): string {
    const ticket = `${TICKET_PREFIX}${randomBytes(24).toString('base64url')}`;
    const timer = setTimeout(() => this.#drop(ticket), PATIENCE_MS);
    timer.unref();
    this.#parked.set(ticket, { call, timer });
    const oldest = this.#parked.keys().next();
    if (this.#parked.size > MAX_PARKED && !oldest.done) this.#drop(oldest.value);
    return ticket;
  }

  take(ticket: string, owner: string | undefined): ModernCall | undefined {
    const parked = this.#parked.get(ticket);
    if (parked === undefined || parked.call.owner !== owner) return undefined;
    clearTimeout(parked.timer);
    this.#parked.delete(ticket);
    return parked.call;
  }

  close(): void {
    for (const ticket of [...this.#parked.keys()]) this.#drop(ticket);
  }

  #drop(ticket: string): void {
    const parked = this.#parked.get(ticket);
    if (parked === undefined) return;
    clearTimeout(parked.timer);
    this.#parked.delete(ticket);
    this.#giveUp(parked.call.client);
  }
}

/** A request of the server for which the client has to come back. */
interface Question {
  readonly id: string;
  readonly key: string;
  /** `{method, params}` */
  readonly text: string;
}

/**
 * A call without a session to a server that asks in the old way. The server goes on waiting, while the client gets the
 * question as an `input_required` result and brings its answer with another request (revision 2026-07-28).
 */
export class ModernCall implements Reply {
  readonly client: Client;
  readonly owner: string | undefined;
  readonly #hub: Hub;
  readonly #parked: ParkedCalls;
  readonly #finish: (reply: Reply) => Reply;
  /** The connection the client waits on now. */
  #reply: Reply | undefined;
  #idText = 'null';
  #questions: Question[] = [];
  /** A capability the server asked for in vain. */
  #missing: string | undefined;
  #early:
    | { readonly bytes: Buffer; readonly message: Message | undefined; readonly status: number }
    | undefined;

  constructor(options: {
    readonly client: Client;
    readonly hub: Hub;
    readonly parked: ParkedCalls;
    /** What makes an answer of the server one of this revision. */
    readonly finish: (reply: Reply) => Reply;
    readonly owner: string | undefined;
  }) {
    this.client = options.client;
    this.owner = options.owner;
    this.#hub = options.hub;
    this.#parked = options.parked;
    this.#finish = options.finish;
  }

  start(post: Reply, request: Message): void {
    this.#take(post, request);
    this.#hub.call(this.client, request, this);
  }

  /** The client is back with answers. */
  goOn(post: Reply, request: Message): void {
    this.#take(post, request);
    this.#hub.resume(this.client);
    const open = this.#questions;
    this.#questions = [];
    for (const question of open) {
      const span = findSpan(request.bytes, ['params', 'inputResponses', question.key]);
      if (span === undefined) {
        this.#questions.push(question);
        continue;
      }
      const result = request.bytes.toString('utf8', span.start, span.end);
      const answer = readMessage(Buffer.from(`{"jsonrpc":"2.0","id":${question.id},"result":${result}}`));
      if (answer) this.#hub.answer(this.client, answer);
    }
    if (this.#early) this.answer(this.#early.bytes, this.#early.message, this.#early.status);
    else if (this.#questions.length > 0) this.#park();
  }

  relate(bytes: Buffer): boolean {
    return this.#reply?.relate(bytes) ?? true;
  }

  ask(id: string, request: Message): void {
    const text = `{"method":${request.text('method')},"params":${request.text('params') ?? '{}'}}`;
    this.#questions.push({ id, key: `request-${id}`, text });
    if (this.#reply) this.#park();
  }

  miss(capability: string): void {
    this.#missing = capability;
  }

  answer(bytes: Buffer, message: Message | undefined, status: number): void {
    if (this.#reply === undefined) {
      this.#early = { bytes, message, status };
      return;
    }
    if (this.#missing !== undefined && message?.span('error') !== undefined) {
      // The server could not do without.
      const data = { requiredCapabilities: { [this.#missing]: {} } };
      const what = 'Missing required client capability';
      this.#reply.answer(formatError(this.#idText, CODES.missingCapability, what, data), undefined, 400);
      return;
    }
    const own = (message ?? readMessage(bytes))?.replace({ id: this.#idText }) ?? bytes;
    this.#finish(this.#reply).answer(own, message, status);
  }

  drop(): void {
    this.#reply?.drop();
  }

  #take(post: Reply, request: Message): void {
    this.#reply = post;
    this.#idText = request.text('id') ?? 'null';
  }

  #park(): void {
    const reply = this.#reply;
    if (reply === undefined) return;
    this.#reply = undefined;
    this.#hub.pause(this.client);
    const requests = this.#questions.map(({ key, text }) => `${JSON.stringify(key)}:${text}`).join(',');
    const state = JSON.stringify(this.#parked.add(this));
    const result = `{"resultType":"input_required","inputRequests":{${requests}},"requestState":${state}}`;
    this.#finish(reply).answer(
      Buffer.from(`{"jsonrpc":"2.0","id":${this.#idText},"result":${result}}`),
      undefined,
      200,
    );
  }
}
