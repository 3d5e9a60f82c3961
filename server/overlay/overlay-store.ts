import type { Claims } from '../../sources/model/claims.ts';
import type { EntryStatus, EntryType } from '../../sources/model/entry.ts';

/** What names an entry of a managed source. */
export interface EntryKey {
  readonly source: string;
  readonly type: EntryType;
  /** `namespace/name`, for skills too. */
  readonly name: string;
}

/** One published version. Times are milliseconds since the epoch. */
export interface StoredVersion {
  readonly version: string;
  /** The server.json or skill object as JSON text. */
  readonly body: string;
  readonly tags: readonly string[];
  readonly tools: readonly string[];
  readonly status: EntryStatus;
  readonly statusMessage?: string;
  readonly publishedAt: number;
  readonly updatedAt: number;
  readonly statusChangedAt: number;
}

/** What all versions of an entry share. */
export interface StoredClaims {
  /** As they were written; `{}` when the entry has none. */
  readonly claims: Claims;
  /** When they were last replaced; the publish time until then. */
  readonly claimsChangedAt: number;
}

export interface StoredEntry extends EntryKey, StoredClaims {
  /** In no particular order, never empty. */
  readonly versions: readonly StoredVersion[];
}

export interface StatusChange {
  readonly status: EntryStatus;
  /** Undefined takes a message away. */
  readonly statusMessage: string | undefined;
  /** The new `statusChangedAt` and `updatedAt`. */
  readonly at: number;
}

/** A setting made through the API or a state to be kept: a source, a registry, the sync status of a source. */
export interface StoredRecord {
  readonly kind: string;
  readonly name: string;
  /** JSON text. */
  readonly json: string;
}

export type InsertOutcome = 'stored' | 'version_exists' | 'claims_differ';

/** What became of an entry that was brought from another store; nothing was changed but with `stored`. */
export type ImportOutcome =
  | { readonly outcome: 'stored' | 'unchanged' | 'claims_differ' }
  /** This version is there with another body, status or times. */
  | { readonly outcome: 'version_differs'; readonly version: string };

/**
 * The writable overlay as it is kept (design, "Write"). Every mutating call is one transaction, and its promise settles
 * only when the change survives a crash of the process and of the machine. What a store decides, it decides inside that
 * transaction, so that several processes may share one. Any call may reject with HttpError 503 `store_unavailable`;
 * nothing was changed then, and a later call may succeed.
 */
export interface OverlayStore {
  /** Every entry of every managed source, in order of source, type and name. */
  loadEntries(): Promise<readonly StoredEntry[]>;
  /** One entry as it is now, or undefined. */
  readEntry(key: EntryKey): Promise<StoredEntry | undefined>;
  /**
   * Adds a version, and the entry with its first one. Refuses when the version is there, or when the entry has other
   * claims (set equality, contract 6).
   */
  insertVersion(key: EntryKey, version: StoredVersion, claims: Claims): Promise<InsertOutcome>;
  /** Removes a version, and the entry with its last one. False when there is no such version. */
  deleteVersion(key: EntryKey, version: string): Promise<boolean>;
  /** False when there is no such version. */
  updateStatus(key: EntryKey, version: string, change: StatusChange): Promise<boolean>;
  /** False when there is no such entry. */
  replaceClaims(key: EntryKey, claims: StoredClaims): Promise<boolean>;
  /** Removes all entries of a source; answers how many there were. */
  deleteEntries(source: string): Promise<number>;
  /** Creates or replaces a record. */
  putRecord(kind: string, name: string, json: string): Promise<void>;
  /** False when there is no such record. */
  deleteRecord(kind: string, name: string): Promise<boolean>;
  /** Records of a kind in order of name. */
  listRecords(kind: string): Promise<readonly StoredRecord[]>;
  /** Rejects while the store could not take a write; for readiness (contract 12.16). */
  probe(): Promise<void>;
  /** Waits for what is under way and lets go of the store. */
  close(): Promise<void>;
}

/** A store that what another one holds can be brought into. A running service does without. */
export interface ImportingStore extends OverlayStore {
  /**
   * Adds an entry with all its versions and times, or those of its versions that are not there yet: all or none. The
   * claims and times of an entry that is there stay.
   */
  importEntry(entry: StoredEntry): Promise<ImportOutcome>;
  /** Creates a record. False when there is one already, which stays as it is. */
  insertRecord(kind: string, name: string, json: string): Promise<boolean>;
}
