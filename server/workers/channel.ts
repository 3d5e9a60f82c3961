import { z } from 'zod';
import { storeUnavailable } from '../overlay/store-unavailable.ts';
import { packFailure, type SentFailure, sentFailure, unpackFailure } from './sent-failure.ts';

/** One end of a connection between two processes; what is sent arrives once, in order. */
export interface Port {
  /** @param onFailure called when it cannot be sent any more */
  send(message: object, onFailure: () => void): void;
  onMessage(listen: (message: unknown) => void): void;
}

type Args<F> = F extends (...args: infer A) => Promise<unknown> ? A : never;
type Result<F> = F extends (...args: never[]) => Promise<infer R> ? R : never;

const envelope = z.discriminatedUnion('berth', [
  z.object({ berth: z.literal('call'), id: z.number(), operation: z.string(), args: z.array(z.unknown()) }),
  z.object({ berth: z.literal('value'), id: z.number(), value: z.unknown() }),
  z.object({ berth: z.literal('failure'), id: z.number(), failure: sentFailure }),
]);

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Calls of another process's operations over a port, in both directions; errors cross with their status and code. */
export class Channel<Remote extends object> {
  readonly #port: Port;
  readonly #own: object;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #closed = false;

  /** @param own the operations the other side may call, as own members */
  constructor(port: Port, own: object) {
    this.#port = port;
    this.#own = own;
    port.onMessage((message) => this.#take(message));
  }

  /**
   * Calls an operation of the other process.
   * @throws HttpError 503 `store_unavailable` when the other process is gone; what the operation threw
   */
  call<K extends keyof Remote & string>(operation: K, ...args: Args<Remote[K]>): Promise<Result<Remote[K]>> {
    if (this.#closed) return Promise.reject(gone());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      // Both ends are the same program, so the value is what the operation's type says.
      this.#waiting.set(id, { resolve: (value) => resolve(value as Result<Remote[K]>), reject });
      this.#port.send({ berth: 'call', id, operation, args }, () => this.#settle(id)?.reject(gone()));
    });
  }

  /** The other process is gone: what waits for it fails. */
  close(): void {
    this.#closed = true;
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(gone());
  }

  #take(message: unknown): void {
    const read = envelope.safeParse(message);
    if (!read.success) return;
    const { data } = read;
    if (data.berth === 'call') void this.#answer(data.id, data.operation, data.args);
    else if (data.berth === 'value') this.#settle(data.id)?.resolve(data.value);
    else this.#settle(data.id)?.reject(unpackFailure(data.failure));
  }

  async #answer(id: number, operation: string, args: unknown[]): Promise<void> {
    let outcome: { berth: 'value'; value: unknown } | { berth: 'failure'; failure: SentFailure };
    try {
      const found: unknown = Object.hasOwn(this.#own, operation)
        ? Reflect.get(this.#own, operation)
        : undefined;
      if (typeof found !== 'function') throw new TypeError(`there is no operation ${operation}`);
      outcome = { berth: 'value', value: await Reflect.apply(found, this.#own, args) };
    } catch (error) {
      outcome = { berth: 'failure', failure: packFailure(error) };
    }
    // Who asked may be gone by now; nobody else wants the answer.
    if (!this.#closed) this.#port.send({ ...outcome, id }, () => undefined);
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

function gone(): Error {
  return storeUnavailable('The process that keeps the store is gone.');
}
