import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesEtag } from '../../../server/http/etag.ts';

describe('matchesEtag', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['"a"', true],
    ['W/"a"', true],
    ['*', true],
    [' * ', true],
    ['"zzz", "a"', true],
    ['"zzz",W/"a" , "b"', true],
    ['"zzz"', false],
    ['a', false],
    ['"b,a"', false],
    ['"x, "', false],
    ['"A"', false],
  ])('compares %j with "a": %s', (header, matches) => {
    expect(matchesEtag(header, '"a"')).toBe(matches);
  });

  it('compares weakly when our own tag is weak', () => {
    expect(matchesEtag('"a"', 'W/"a"')).toBe(true);
    expect(matchesEtag('W/"b", W/"a"', 'W/"a"')).toBe(true);
  });

  it('is membership in the list, also for tags that hold commas', () => {
    const tag = fc.stringMatching(/^[a-c,!#]{0,6}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), tag)), tag, (list, own) => {
        const header = list.map(([weak, opaque]) => `${weak ? 'W/' : ''}"${opaque}"`).join(', ');
        expect(matchesEtag(header, `"${own}"`), header).toBe(list.some(([, opaque]) => opaque === own));
      }),
    );
  });
});
