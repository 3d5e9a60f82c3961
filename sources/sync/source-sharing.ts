import type { SourceStatus } from './source-status.ts';

/** The right to fetch a source, held until it is given back or lost. */
export interface Leadership {
  /** Aborted when another process may have it now. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** How fetching went, as those learn it who did not fetch. */
export type SharedStatus = Pick<
  SourceStatus,
  'phase' | 'lastSyncTime' | 'lastAttemptTime' | 'attempts' | 'message'
>;

/** How several processes of one registry share the work on a source (contract 10): one leads, the others follow. */
export interface SourceSharing {
  /** Undefined while another process leads. */
  tryLead(source: string): Promise<Leadership | undefined>;
  /** Gives the current bundle of the store to the others; nothing when they have it. */
  push(source: string): Promise<void>;
  /** The same, if an earlier bundle was made current in the store since the last push or pull; else nothing. */
  pushRollback(source: string): Promise<void>;
  /**
   * Takes the bundles that are kept for all, and which of them is current, into the store.
   * @returns false when nothing happened to them since the last push or pull
   */
  pull(source: string): Promise<boolean>;
  /** Asks whoever leads to fetch now. */
  askLeader(source: string): Promise<void>;
  tellStatus(source: string, status: SharedStatus): Promise<void>;
  /** Undefined when nobody has told any. */
  readStatus(source: string): Promise<SharedStatus | undefined>;
  /** Removes what the others were given of a source that is gone. */
  forget(source: string): Promise<void>;
}
