/** The right to fetch a source, held until it is given back or lost. */
export interface Leadership {
  /** Aborted when another process may have it now. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** How several processes of one registry share the work on a source (contract 10): one leads, the others follow. */
export interface SourceSharing {
  /** Undefined while another process leads. */
  tryLead(source: string): Promise<Leadership | undefined>;
  /** Gives the current bundle of the store to the others; nothing when they have it. */
  push(source: string): Promise<void>;
  /** Takes the bundle that is current for all into the store; nothing when it is there. */
  pull(source: string): Promise<void>;
  /** Makes an earlier bundle current for all. */
  setCurrent(source: string, hash: string): Promise<void>;
  /** Asks whoever leads to fetch now. */
  askLeader(source: string): Promise<void>;
}
