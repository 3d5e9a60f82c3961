const FIRST_MS = 5_000;
const LONGEST_MS = 60_000;

/** How often a server that exits is started again before it is given up (contract 3). */
export const MAX_RESTARTS = 10;

/** How long it must have answered until its earlier exits are forgotten. Milliseconds. */
export const HEALTHY_AFTER_MS = 30_000;

/**
 * How long to wait before a restart: 5 s, then twice as long each time, at most 60 s.
 * @param attempt counted from 1
 * @returns milliseconds; undefined when there were enough
 */
export function backOff(attempt: number): number | undefined {
  return attempt > MAX_RESTARTS ? undefined : Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS);
}
