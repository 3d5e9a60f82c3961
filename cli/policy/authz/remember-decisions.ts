import { LRUCache } from 'lru-cache';
import type { Decision } from './load-policies.ts';

const MAX_REMEMBERED = 5_000;
/** Longer questions are not worth the memory. */
const MAX_KEY = 4_096;

/**
 * Remembers decisions: policies know neither time nor state, so the same question has the same answer. Asking the
 * engine costs much more than a look into memory.
 */
export function rememberDecisions(): (key: string, decide: () => Decision) => Decision {
  const known = new LRUCache<string, Decision>({ max: MAX_REMEMBERED });
  return (key, decide) => {
    if (key.length > MAX_KEY) return decide();
    const found = known.get(key);
    if (found !== undefined) return found;
    const decision = decide();
    known.set(key, decision);
    return decision;
  };
}
