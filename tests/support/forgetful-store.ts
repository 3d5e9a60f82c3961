import type { InsertOutcome, OverlayStore, StoredEntry } from '../../server/overlay/overlay-store.ts';

/** A store that keeps nothing and is done at once: what is left to measure is the overlay in memory. */
export class ForgetfulStore implements OverlayStore {
  readonly #entries: readonly StoredEntry[];

  /** @param entries what it holds when it is opened */
  constructor(entries: readonly StoredEntry[]) {
    this.#entries = entries;
  }

  async loadEntries(): Promise<readonly StoredEntry[]> {
    return this.#entries;
  }

  async readEntry(): Promise<undefined> {
    return undefined;
  }

  async insertVersion(): Promise<InsertOutcome> {
    return 'stored';
  }

  async deleteVersion(): Promise<boolean> {
    return true;
  }

  async updateStatus(): Promise<boolean> {
    return true;
  }

  async replaceClaims(): Promise<boolean> {
    return true;
  }

  async deleteEntries(): Promise<number> {
    return 0;
  }

  async putRecord(): Promise<void> {}

  async deleteRecord(): Promise<boolean> {
    return true;
  }

  async listRecords(): Promise<readonly []> {
    return [];
  }

  async probe(): Promise<void> {}

  async close(): Promise<void> {}
}
