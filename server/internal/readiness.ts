/** Whether requests can be answered, asked anew for every probe (contract 9, 12.14, 12.16). */
export interface Readiness {
  readonly ready: boolean;
  /** What is not there yet, one sentence each: `source "x" has no bundle yet`, `the store does not answer`, `stopping`. */
  readonly missing: readonly string[];
  /** What does not keep the service from being ready but should be known: a refused edit of the configuration. */
  readonly notes: readonly string[];
}
