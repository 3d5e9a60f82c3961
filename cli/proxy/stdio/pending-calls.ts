import type { Call } from './client.ts';

interface Held {
  readonly call: Call;
  timer: NodeJS.Timeout | undefined;
}

/** The requests the server has not answered, by the ids it knows them by, oldest first. */
export class PendingCalls {
  readonly #held = new Map<number, Held>();
  readonly #timeoutMs: number;
  readonly #onTimeout: (call: Call) => void;

  /** @param timeoutMs 0 for none */
  constructor(timeoutMs: number, onTimeout: (call: Call) => void) {
    this.#timeoutMs = timeoutMs;
    this.#onTimeout = onTimeout;
  }

  get size(): number {
    return this.#held.size;
  }

  add(call: Call): void {
    this.#held.set(call.upstreamId, { call, timer: undefined });
    this.restart(call);
    call.client.calls.add(call);
  }

  find(upstreamId: number): Call | undefined {
    return this.#held.get(upstreamId)?.call;
  }

  /** contract 5: progress starts the time-out anew. */
  refresh(call: Call): void {
    this.#held.get(call.upstreamId)?.timer?.refresh();
  }

  /** Takes the time-out off a call. */
  hold(call: Call): void {
    const held = this.#held.get(call.upstreamId);
    clearTimeout(held?.timer);
    if (held) held.timer = undefined;
  }

  /** Starts its time-out anew, also after `hold`. */
  restart(call: Call): void {
    this.hold(call);
    const held = this.#held.get(call.upstreamId);
    if (held && this.#timeoutMs > 0) held.timer = setTimeout(() => this.#onTimeout(call), this.#timeoutMs);
  }

  /** False when it was not there any more. */
  remove(call: Call): boolean {
    const held = this.#held.get(call.upstreamId);
    if (held === undefined) return false;
    clearTimeout(held.timer);
    this.#held.delete(call.upstreamId);
    call.client.calls.delete(call);
    return true;
  }

  /** Oldest first. */
  list(): Call[] {
    return [...this.#held.values()].map(({ call }) => call);
  }
}
