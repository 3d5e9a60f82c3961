import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayWrite } from '../../../server/authz/decide.ts';
import { normalizeClaims } from '../../../sources/model/claims.ts';
import { proves } from '../../requirements/proves.ts';
import { makeServer } from '../../support/make-entry.ts';
import { makeIdentity } from '../../support/make-identity.ts';
import { makeSegment, makeWorld } from '../../support/make-world.ts';

const key = fc.constantFrom('org', 'team', 'role');
const value = fc.constantFrom('a', 'b', 'c');
const held = fc.dictionary(key, fc.uniqueArray(value, { minLength: 1 }));

describe('a registry', () => {
  it(`${proves('S-5.9-09', 'S-5.9-04')} admits by string claims exactly whoever may write them`, async () => {
    const segments = [await makeSegment('s', [])];
    const claims = fc.dictionary(key, value, { minKeys: 1 });
    fc.assert(
      fc.property(claims, held, (required, own) => {
        const registry = makeWorld({ main: { segments, claims: required } }).registries.get('main');
        const identity = makeIdentity(own);
        const all = Object.entries(required).every(([name, wanted]) => own[name]?.includes(wanted));
        expect(registry?.admits(identity)).toBe(all);
        expect(mayWrite(identity, normalizeClaims(required))).toBe(all);
      }),
    );
  });

  it('gives callers who see the same the same sight, and others another', async () => {
    const segments = [
      await makeSegment('open', [makeServer('a.a/x')], { org: 'acme' }),
      await makeSegment('team', [makeServer('b.b/x')], { org: 'acme', team: ['blue', 'red'] }),
    ];
    const world = makeWorld({ main: { segments, claims: { org: 'acme' } } });
    const sightOf = (claims: Record<string, string | string[]>) =>
      world.registries.get('main')?.sightOf(makeIdentity(claims));
    const plain = sightOf({ org: 'acme' });
    expect(sightOf({ org: ['x', 'acme'], team: 'green' })).toBe(plain);
    expect(sightOf({ org: 'acme', team: 'red' })).toBe(sightOf({ org: 'acme', team: ['blue'] }));
    expect(sightOf({ org: 'acme', team: 'red' })).not.toBe(plain);
    expect(plain?.parts.map((part) => part.segment.source)).toEqual(['open']);
    expect(sightOf({ org: 'umbra' })?.parts).toEqual([]);
  });
});

describe('a world', () => {
  it('shares what a change does not touch with the world before', async () => {
    const [one, two, next] = [
      await makeSegment('one', [makeServer('a.a/x')]),
      await makeSegment('two', [makeServer('b.b/x')]),
      await makeSegment('one', [makeServer('a.a/y')]),
    ];
    const world = makeWorld({
      first: { segments: [one] },
      second: { segments: [two] },
      both: { segments: [two, one] },
    });
    const after = world.withSegment(next);
    const kept = (name: string) => after.registries.get(name) === world.registries.get(name);
    expect([kept('first'), kept('second'), kept('both')]).toEqual([false, true, false]);
    expect(after.registries.get('both')?.segments).toEqual([two, next]);
    const without = after.withoutSegment('two');
    expect(without.registries.get('both')?.segments).toEqual([next]);
    expect(world.registries.get('first')?.segments).toEqual([one]);
  });
});
