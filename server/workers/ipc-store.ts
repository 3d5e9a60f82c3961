import type { Claims } from '../../sources/model/claims.ts';
import type {
  EntryKey,
  InsertOutcome,
  OverlayStore,
  StatusChange,
  StoredClaims,
  StoredEntry,
  StoredRecord,
  StoredVersion,
} from '../overlay/overlay-store.ts';
import type { Channel } from './channel.ts';
import type { PrimaryCalls } from './process-calls.ts';

/** The overlay as a worker reaches it: every call is made in the primary process, which has the store open. */
export class IpcStore implements OverlayStore {
  readonly #primary: Channel<PrimaryCalls>;

  constructor(primary: Channel<PrimaryCalls>) {
    this.#primary = primary;
  }

  loadEntries(): Promise<readonly StoredEntry[]> {
    return this.#primary.call('loadEntries');
  }

  readEntry(key: EntryKey): Promise<StoredEntry | undefined> {
    return this.#primary.call('readEntry', key);
  }

  insertVersion(key: EntryKey, version: StoredVersion, claims: Claims): Promise<InsertOutcome> {
    return this.#primary.call('insertVersion', key, version, claims);
  }

  deleteVersion(key: EntryKey, version: string): Promise<boolean> {
    return this.#primary.call('deleteVersion', key, version);
  }

  updateStatus(key: EntryKey, version: string, change: StatusChange): Promise<boolean> {
    return this.#primary.call('updateStatus', key, version, change);
  }

  replaceClaims(key: EntryKey, claims: StoredClaims): Promise<boolean> {
    return this.#primary.call('replaceClaims', key, claims);
  }

  deleteEntries(source: string): Promise<number> {
    return this.#primary.call('deleteEntries', source);
  }

  putRecord(kind: string, name: string, json: string): Promise<void> {
    return this.#primary.call('putRecord', kind, name, json);
  }

  deleteRecord(kind: string, name: string): Promise<boolean> {
    return this.#primary.call('deleteRecord', kind, name);
  }

  listRecords(kind: string): Promise<readonly StoredRecord[]> {
    return this.#primary.call('listRecords', kind);
  }

  probe(): Promise<void> {
    return this.#primary.call('probe');
  }

  /** The store stays open in the primary process. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
