import type { Call, Client } from './client.ts';
import type { Message } from './message.ts';

/** A request of the server that a client has not answered. */
export interface ServerRequest {
  readonly client: Client;
  /** The call that caused it; undefined when none did. */
  readonly cause: Call | undefined;
  /** As the server wrote them. */
  readonly idText: string;
  readonly tokenText: string | undefined;
  readonly method: string;
}

/** Which capability a client must have declared to be asked; undefined for methods the proxy does not know. */
export function findCapability(method: string): string | undefined {
  if (method === 'sampling/createMessage') return 'sampling';
  if (method === 'elicitation/create') return 'elicitation';
  if (method === 'roots/list') return 'roots';
  if (method.startsWith('tasks/')) return 'tasks';
  return undefined;
}

/** The requests of the server that clients have not answered, by the ids the clients know them by. */
export class ServerRequests {
  readonly #open = new Map<string, ServerRequest>();
  readonly #caused = new WeakMap<Call, number>();
  #counter = 0;

  get size(): number {
    return this.#open.size;
  }

  /** Answers the id for the client, as JSON text. */
  add(request: ServerRequest): string {
    this.#counter += 1;
    const id = String(this.#counter);
    this.#open.set(id, request);
    if (request.cause) this.#caused.set(request.cause, this.countCausedBy(request.cause) + 1);
    return id;
  }

  /** How many requests of the server the call has caused, answered ones included. */
  countCausedBy(call: Call): number {
    return this.#caused.get(call) ?? 0;
  }

  /** What a client answers, if it was this client who was asked. It is forgotten. */
  take(client: Client, answer: Message): ServerRequest | undefined {
    const id = answer.text('id') ?? '';
    const request = this.#open.get(id);
    if (request?.client !== client) return undefined;
    this.#open.delete(id);
    return request;
  }

  forget(id: string): void {
    this.#open.delete(id);
  }

  /** Whether the client was given this progress token with a request. */
  hasToken(client: Client, tokenText: string): boolean {
    for (const request of this.#open.values()) {
      if (request.client === client && request.tokenText === tokenText) return true;
    }
    return false;
  }

  /** The request the server knows by this id, with the client's id for it. It is forgotten. */
  takeByServerId(idText: string): { readonly id: string; readonly request: ServerRequest } | undefined {
    for (const [id, request] of this.#open) {
      if (request.idText !== idText) continue;
      this.#open.delete(id);
      return { id, request };
    }
    return undefined;
  }

  /** Everything that `matches`, forgotten. */
  takeAll(
    matches: (request: ServerRequest) => boolean,
  ): { readonly id: string; readonly request: ServerRequest }[] {
    const taken = [...this.#open].filter(([, request]) => matches(request));
    for (const [id] of taken) this.#open.delete(id);
    return taken.map(([id, request]) => ({ id, request }));
  }
}
