import { z } from 'zod';

/**
 * A claims object of a resource (specification 2.1): a map from claim key to one string or a non-empty array of
 * strings. Anything else is refused when it is written (contract 7).
 */
export const claimsSchema = z.record(
  z.string().min(1),
  z.union([
    z.string(),
    z
      .array(z.string(), { error: 'must be a string or an array of strings' })
      .min(1, 'an empty array matches nobody; leave the key out'),
  ]),
);

/** Claims as they are written on a resource. */
export type Claims = z.infer<typeof claimsSchema>;

/** Claims with every value an array, sorted and without repetition; keys sorted. The form everything compares. */
export type ClaimSet = ReadonlyArray<readonly [key: string, values: readonly string[]]>;

/** What a caller holds: claim key to its strings. */
export type HeldClaims = ReadonlyMap<string, readonly string[]>;

/** The comparable form of resource claims; `"a"` and `["a"]` give the same. Absent and `{}` give the empty set. */
export function normalizeClaims(claims: Claims | undefined): ClaimSet {
  return Object.entries(claims ?? {})
    .map(([key, value]) => [key, [...new Set(typeof value === 'string' ? [value] : value)].sort()] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** A claims object of a set: a single value as a string. */
export function writeClaims(set: ClaimSet): Claims {
  return Object.fromEntries(
    set.map(([key, values]) => [key, values.length === 1 ? (values[0] ?? '') : [...values]]),
  );
}

/** A text that two claims objects share exactly when they are equal as sets. */
export function claimsKey(set: ClaimSet): string {
  return JSON.stringify(set);
}

/**
 * The visibility rule (specification 5.9): the caller holds, for every key, at least one of its values. The empty set
 * is unlabeled and matches nobody (5.10).
 */
export function satisfiesVisibility(set: ClaimSet, held: HeldClaims): boolean {
  return set.length > 0 && set.every(([key, values]) => holdsAny(held.get(key), values));
}

/** The subset rule (specification 5.9): the caller holds every value of every key. The empty set is a subset of all. */
export function satisfiesSubset(set: ClaimSet, held: HeldClaims): boolean {
  return set.every(([key, values]) => {
    const own = held.get(key);
    return own !== undefined && values.every((value) => own.includes(value));
  });
}

function holdsAny(own: readonly string[] | undefined, values: readonly string[]): boolean {
  return own?.some((value) => values.includes(value)) ?? false;
}
