/** Runs changes inside one transaction and returns when it is durable; on rejection nothing of it was done. */
export type RunTransaction = (changes: () => void) => Promise<void>;

interface Job {
  /** Does the change and remembers its result. */
  readonly change: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const MOST_AT_ONCE = 256;

/**
 * Changes waiting to be committed. While one transaction is on its way to the disk the next ones gather and share the
 * following one, so many concurrent changes cost one flush.
 */
export class CommitQueue {
  readonly #runTransaction: RunTransaction;
  #waiting: Job[] = [];
  #draining: Promise<void> | undefined;

  constructor(runTransaction: RunTransaction) {
    this.#runTransaction = runTransaction;
  }

  /** Does the change in a transaction; settles when that is durable. */
  async commit<T>(change: () => T): Promise<T> {
    let result: { readonly value: T } | undefined;
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({
        change: () => {
          result = { value: change() };
        },
        resolve,
        reject,
      });
      this.#draining ??= this.#drain();
    });
    if (!result) throw new TypeError('a transaction was committed without its change');
    return result.value;
  }

  /** Settles when nothing waits any more. */
  async whenIdle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    // What is asked for in the same turn goes into the first transaction.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MOST_AT_ONCE);
      this.#waiting = this.#waiting.slice(batch.length);
      await this.#commitBatch(batch);
    }
    this.#draining = undefined;
  }

  async #commitBatch(batch: readonly Job[]): Promise<void> {
    try {
      await this.#runTransaction(() => {
        for (const job of batch) job.change();
      });
    } catch (error) {
      const [only] = batch;
      if (batch.length === 1) only?.reject(error);
      // One change must not take its neighbours down: each gets a transaction of its own.
      else for (const job of batch) await this.#commitBatch([job]);
      return;
    }
    for (const job of batch) job.resolve();
  }
}
