import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 10;

/**
 * Waits for a condition.
 * @param limit milliseconds
 * @returns milliseconds it took
 * @throws Error when it does not come true in time
 */
export async function waitUntil(holds: () => boolean | Promise<boolean>, limit: number): Promise<number> {
  const start = performance.now();
  while (!(await holds())) {
    if (performance.now() - start > limit) throw new Error(`not so within ${limit} ms: ${holds}`);
    await delay(LOOK_MS);
  }
  return performance.now() - start;
}
