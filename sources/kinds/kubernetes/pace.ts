/** How fast a watch goes on after something went wrong. All in milliseconds. */
export interface Pace {
  /** The first pause after a failure; doubled with each further one. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** How often a resource the cluster does not have is looked for again. */
  readonly missingMs: number;
  /** How long changes are gathered before they are told. */
  readonly gatherMs: number;
}

export const DEFAULT_PACE: Pace = {
  firstPauseMs: 500,
  longestPauseMs: 10_000,
  missingMs: 5_000,
  gatherMs: 50,
};

/** The pause after so many failures in a row, a tenth more or less so that many watches do not return at once. */
export function choosePause(failures: number, pace: Pace, random: () => number): number {
  const pause = Math.min(pace.longestPauseMs, pace.firstPauseMs * 2 ** Math.min(failures - 1, 16));
  return pause * (0.9 + 0.2 * random());
}
