import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Claims,
  claimsKey,
  claimsSchema,
  normalizeClaims,
  satisfiesSubset,
  satisfiesVisibility,
} from '../../../sources/model/claims.ts';

const key = fc.constantFrom('team', 'role', 'org', '__proto__', 'constructor');
const text = fc.constantFrom('a', 'b', 'c', '');
const value = fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 4 }));
const claims: fc.Arbitrary<Claims> = fc
  .array(fc.tuple(key, value), { maxLength: 4 })
  .map((pairs) => Object.fromEntries(pairs));
const held = fc
  .array(fc.tuple(key, fc.array(text, { maxLength: 3 })), { maxLength: 5 })
  .map((pairs) => new Map(pairs));

const listOf = (one: string | string[]) => (typeof one === 'string' ? [one] : one);

/** The rules word for word (specification 5.9, 5.10), without any preparation. */
function mayVisit(resource: Claims, caller: ReadonlyMap<string, readonly string[]>): boolean {
  const keys = Object.keys(resource);
  if (keys.length === 0) return false;
  for (const [name, wanted] of Object.entries(resource)) {
    let any = false;
    for (const one of listOf(wanted)) for (const own of caller.get(name) ?? []) if (own === one) any = true;
    if (!any) return false;
  }
  return true;
}

function holdsAll(resource: Claims, caller: ReadonlyMap<string, readonly string[]>): boolean {
  for (const [name, wanted] of Object.entries(resource)) {
    for (const one of listOf(wanted)) if (!(caller.get(name) ?? []).some((own) => own === one)) return false;
  }
  return true;
}

describe('claims', () => {
  it('follow the visibility rule', () => {
    fc.assert(
      fc.property(claims, held, (resource, caller) => {
        expect(satisfiesVisibility(normalizeClaims(resource), caller)).toBe(mayVisit(resource, caller));
      }),
      { numRuns: 3000 },
    );
  });

  it('follow the subset rule', () => {
    fc.assert(
      fc.property(claims, held, (resource, caller) => {
        expect(satisfiesSubset(normalizeClaims(resource), caller)).toBe(holdsAll(resource, caller));
      }),
      { numRuns: 3000 },
    );
  });

  it('are visible to whoever holds all of them, unless there are none', () => {
    fc.assert(
      fc.property(claims, held, (resource, caller) => {
        const set = normalizeClaims(resource);
        if (set.length > 0 && satisfiesSubset(set, caller))
          expect(satisfiesVisibility(set, caller)).toBe(true);
      }),
    );
  });

  it('without keys are seen by nobody and are a subset of anything', () => {
    fc.assert(
      fc.property(held, (caller) => {
        for (const none of [undefined, {}]) {
          expect(satisfiesVisibility(normalizeClaims(none), caller)).toBe(false);
          expect(satisfiesSubset(normalizeClaims(none), caller)).toBe(true);
        }
      }),
    );
  });

  it('have one key exactly when they are equal as sets', () => {
    const asSets = (resource: Claims) =>
      new Map(Object.entries(resource).map(([name, wanted]) => [name, new Set(listOf(wanted))] as const));
    fc.assert(
      fc.property(claims, claims, (a, b) => {
        const same = claimsKey(normalizeClaims(a)) === claimsKey(normalizeClaims(b));
        const [left, right] = [asSets(a), asSets(b)];
        const equal =
          left.size === right.size &&
          [...left].every(
            ([name, own]) =>
              own.size === right.get(name)?.size && [...own].every((one) => right.get(name)?.has(one)),
          );
        expect(same).toBe(equal);
      }),
      { numRuns: 3000 },
    );
    expect(claimsKey(normalizeClaims({ team: 'a' }))).toBe(claimsKey(normalizeClaims({ team: ['a', 'a'] })));
  });

  it.each([
    { team: 5 },
    { team: [] },
    { team: ['a', 5] },
    { team: null },
    { team: { a: 'b' } },
    { '': 'a' },
    [],
    'a',
    null,
  ])('%j is refused when written', (bad) => {
    expect(claimsSchema.safeParse(bad).success).toBe(false);
  });

  it('are accepted as text or a list of texts', () => {
    expect(claimsSchema.parse({ team: 'a', role: ['b', 'c'] })).toEqual({ team: 'a', role: ['b', 'c'] });
  });
});
