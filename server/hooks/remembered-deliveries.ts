import { LRUCache } from 'lru-cache';

const DAY_MS = 24 * 3_600_000;

/** Remembers a delivery; true when it was not seen before. */
export type RememberDelivery = (id: string) => boolean;

/**
 * The last 10,000 deliveries of a day (contract 2 `hooks`): git servers repeat one whose answer they did not get.
 * @param now milliseconds on a clock that does not go back
 */
export function createRememberedDeliveries(now: () => number = () => performance.now()): RememberDelivery {
  const seen = new LRUCache<string, true>({ max: 10_000, ttl: DAY_MS, ttlResolution: 0, perf: { now } });
  return (id) => {
    if (seen.has(id)) return false;
    seen.set(id, true);
    return true;
  };
}
