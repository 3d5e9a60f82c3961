import type { ClaimSet } from '../model/claims.ts';

const MOST = 64;

/**
 * Callers who hold one value of each key of a claims set, where it names several: a rule that takes any of them is
 * passed by each alone.
 * @returns at most 64 sets; none when the set has one value per key
 */
export function listSingleHolders(set: ClaimSet): ClaimSet[] {
  if (set.every(([, values]) => values.length < 2)) return [];
  let holders: ClaimSet[] = [[]];
  for (const [key, values] of set) {
    holders = holders.flatMap((held) => values.map((value): ClaimSet => [...held, [key, [value]]]));
    holders = holders.slice(0, MOST);
  }
  return holders;
}
