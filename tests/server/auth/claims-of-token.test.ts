import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHeldClaims } from '../../../server/auth/claims-of-token.ts';
import { proves } from '../../requirements/proves.ts';

describe('claims of a token', () => {
  it(`${proves('C-7-02', 'C-7-03')} are strings and the strings of arrays, nothing else`, () => {
    const held = readHeldClaims({
      a: 'x',
      b: ['y', 1, null, 'z', ['n']],
      c: 5,
      d: true,
      e: null,
      f: [],
      g: {},
    });
    expect([...held]).toEqual([
      ['a', ['x']],
      ['b', ['y', 'z']],
    ]);
  });

  it(`${proves('C-7-05', 'C-7-06')} reach into objects with a dotted key only when there is no flat one`, () => {
    const realm = { realm_access: { roles: ['nested'] } };
    expect(readHeldClaims(realm).get('realm_access.roles')).toEqual(['nested']);
    expect(readHeldClaims({ ...realm, 'realm_access.roles': 'flat' }).get('realm_access.roles')).toEqual([
      'flat',
    ]);
    expect(readHeldClaims({ ...realm, 'realm_access.roles': 7 }).get('realm_access.roles')).toBeUndefined();
  });

  it('stop at a depth of five and at a bounded number', () => {
    const held = readHeldClaims({ a: { b: { c: { d: { e: 'five', f: { g: 'six' } } } } } });
    expect(held.get('a.b.c.d.e')).toEqual(['five']);
    expect(held.get('a.b.c.d.f.g')).toBeUndefined();
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, 'v']));
    expect(readHeldClaims({ many }).size).toBe(1000);
  });

  it(`${proves('C-7-07')} give scope as a whole and in parts`, () => {
    expect(readHeldClaims({ scope: 'a b' }).get('scope')).toEqual(['a b', 'a', 'b']);
    expect(readHeldClaims({ scope: 'a' }).get('scope')).toEqual(['a']);
    expect(readHeldClaims({ scope: ['a b', 'c'] }).get('scope')).toEqual(['a b', 'c']);
  });

  it('are not confused by names of the language', () => {
    const members = JSON.parse('{"__proto__":"p","constructor":["c"],"x":{"__proto__":"q"},"toString":1}');
    const held = readHeldClaims(members);
    expect(held.get('__proto__')).toEqual(['p']);
    expect(held.get('constructor')).toEqual(['c']);
    expect(held.get('x.__proto__')).toEqual(['q']);
    expect(held.get('toString')).toBeUndefined();
    expect(readHeldClaims({}).get('__proto__')).toBeUndefined();
  });

  it('never throw and never hold an empty list, whatever a token holds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
        for (const values of readHeldClaims(members).values()) expect(values.length).toBeGreaterThan(0);
      }),
    );
  });
});
