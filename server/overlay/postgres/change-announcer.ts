import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresPool } from './postgres-pool.ts';

export const CHANNEL = 'berth_changes';
/** Under a storm of changes others are woken this often at most. */
const PAUSE_MS = 10;

/**
 * Wakes the other processes after a commit. Not part of the transaction that changes something, because PostgreSQL lets
 * transactions that notify commit only one after the other (measured: 460 instead of 1,700 publishes a second); what
 * the transaction holds is the row in the log, which is found without being woken too.
 */
export class ChangeAnnouncer {
  readonly #pool: Pick<PostgresPool, 'query'>;
  #wanted = false;
  #announcing: Promise<void> | undefined;

  constructor(pool: Pick<PostgresPool, 'query'>) {
    this.#pool = pool;
  }

  /** Returns at once. */
  announce(): void {
    this.#wanted = true;
    this.#announcing ??= this.#run();
  }

  /** Settles when nobody is left to be woken. */
  async whenIdle(): Promise<void> {
    while (this.#announcing) await this.#announcing;
  }

  async #run(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false;
      // The others look by themselves soon: nothing depends on this.
      await this.#pool.query({ text: `NOTIFY ${CHANNEL}` }).catch(() => {});
      await delay(PAUSE_MS);
    }
    this.#announcing = undefined;
  }
}
