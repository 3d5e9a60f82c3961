import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for a condition.
 * @param look answers undefined or false while it does not hold; what it throws counts as that
 * @param what named in the error
 * @param limitMs how long it may take
 * @returns what `look` answered in the end
 */
export async function waitUntil<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
  limitMs = 10_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  let last: unknown;
  for (;;) {
    try {
      const seen = await look();
      if (seen !== undefined && seen !== false) return seen;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) {
      throw new Error(`Within ${limitMs} ms not seen: ${what}`, last === undefined ? {} : { cause: last });
    }
    await pause(20);
  }
}
