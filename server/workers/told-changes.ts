import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../sources/errors.ts';
import type { Log } from '../observe/log.ts';
import type { OverlayChange } from '../overlay/postgres/overlay-change.ts';
import type { ChangeHandlers } from '../overlay/postgres/replica-link.ts';

const RETRY_MS = 250;

/**
 * Changes that this process is told, on their way to who takes them over. What comes before somebody listens is kept;
 * what cannot be taken over is tried again until it can.
 */
export class ToldChanges {
  readonly #log: Log;
  readonly #stop = new AbortController();
  #handlers: ChangeHandlers | undefined;
  #kept: OverlayChange[] = [];
  #missed = false;
  #settled: Promise<unknown> = Promise.resolve();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Settles when the change is taken over, or kept because nobody listens yet. */
  async tell(change: OverlayChange): Promise<void> {
    const handlers = this.#handlers;
    if (handlers) await this.#insist(() => handlers.onChange(change));
    else this.#kept.push(change);
  }

  /** Settles when everything was read again. */
  async tellGap(): Promise<void> {
    const handlers = this.#handlers;
    if (handlers) await this.#insist(() => handlers.onGap());
    else this.#missed = true;
  }

  /** @returns stops telling */
  listen(handlers: ChangeHandlers): () => Promise<void> {
    this.#handlers = handlers;
    const kept = this.#kept.map((change) => this.tell(change));
    this.#kept = [];
    this.#settled = Promise.all([...kept, ...(this.#missed ? [this.tellGap()] : [])]);
    return async () => this.#stop.abort();
  }

  /** Settles when what was kept before somebody listened is taken over. */
  async whenCaughtUp(): Promise<void> {
    await this.#settled;
  }

  async #insist(work: () => void | Promise<void>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await work();
        return;
      } catch (error) {
        this.#log.warn({}, `a change of another process is taken over later: ${messageOf(error)}`);
        await delay(RETRY_MS, undefined, { signal: this.#stop.signal }).catch(() => {});
      }
    }
  }
}
