import type { BundleRecord, SourceRecord } from '../../../sources/bundle/manifest.ts';
import type { OverlayChange } from './overlay-change.ts';

export interface ChangeHandlers {
  /**
   * Called for each committed change of another process, in no strict order; the same one may be told twice, so it
   * names what to read again, not what was done. A rejection makes it be told again.
   */
  readonly onChange: (change: OverlayChange) => void | Promise<void>;
  /** Changes may have been missed: everything is to be read again. A rejection makes it be called again. */
  readonly onGap: () => void | Promise<void>;
}

/** The lock of a source, held until it is released, or until the process ends or hangs. */
export interface SourceLock {
  /** Aborted when the lock was lost, because the connection to the database broke: another process may have it. */
  readonly lost: AbortSignal;
  /** Never rejects; once is enough. */
  release(): Promise<void>;
}

/** The bundle of a source that is to be served, and what the newest one was made from. */
interface NamedBundle {
  readonly source: string;
  readonly hash: string;
  readonly input: SourceRecord['input'];
}

export interface CurrentBundle extends NamedBundle {
  /** Another one after each change. */
  readonly mark: string;
}

export interface SharedBundle extends NamedBundle {
  readonly bytes: Uint8Array;
  /** Packed times (`packTimes`). */
  readonly times: Uint8Array | undefined;
  readonly record: BundleRecord;
}

/** The bundles of the sources, kept where all replicas find them. */
export interface BundleExchange {
  /** Stores a bundle and makes it the current one of its source; older ones beyond the newest five go. */
  put(bundle: SharedBundle): Promise<CurrentBundle>;
  /** Makes a stored bundle the current one again, with its times as they are then; undefined when it is not stored. */
  setCurrent(source: string, hash: string, times: Uint8Array | undefined): Promise<CurrentBundle | undefined>;
  findCurrent(source: string): Promise<CurrentBundle | undefined>;
  /** By name of the source. */
  listCurrent(): Promise<readonly CurrentBundle[]>;
  /** The bundles of a source, the newest first. */
  listRecords(source: string): Promise<readonly BundleRecord[]>;
  /** @throws BerthError `bundle_tampered` when the bytes do not have that hash */
  get(source: string, hash: string): Promise<Pick<SharedBundle, 'bytes' | 'times' | 'record'> | undefined>;
  /** Forgets a source. */
  drop(source: string): Promise<void>;
}

/**
 * How identical processes form one registry (contract 10): each is told what the others changed, one at a time fetches
 * a source, and its bundle reaches the others by its hash. Calls reject with HttpError 503 `store_unavailable` while
 * the database is away.
 */
export interface ReplicaLink {
  readonly bundles: BundleExchange;
  /** The JSON of a record, see `OverlayStore`. */
  readRecord(kind: string, name: string): Promise<string | undefined>;
  /** Tells of changes from where the store was opened on, until it is closed or the returned function was called. */
  listenForChanges(handlers: ChangeHandlers): () => Promise<void>;
  /** Removes what is older than an hour from the log of changes; done every ten minutes while changes are listened for. */
  pruneChanges(): Promise<void>;
  /** Undefined while another process, or this one, has it. To be asked again every few seconds. */
  tryLockSource(source: string): Promise<SourceLock | undefined>;
}
