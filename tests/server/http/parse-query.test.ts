import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../server/http/parse-query.ts';
import { HttpError } from '../../../server/http/problem.ts';

function refusal(raw: string): unknown {
  try {
    parseQuery(raw);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('parseQuery', () => {
  it('reads keys and values, blanks as + and as %20, and keys without a value', () => {
    const query = parseQuery('search=a+b%20c&limit=30&flag&empty=&x=1=2&&%C3%A9=%2B');
    expect([...query]).toEqual([
      ['search', 'a b c'],
      ['limit', '30'],
      ['flag', ''],
      ['empty', ''],
      ['x', '1=2'],
      ['é', '+'],
    ]);
  });

  it('takes the first value of a repeated key', () => {
    expect(parseQuery('limit=1&limit=2').get('limit')).toBe('1');
  });

  it('keeps names such as __proto__ as plain keys', () => {
    expect(parseQuery('__proto__=1').get('__proto__')).toBe('1');
    expect(parseQuery('a=1').get('constructor')).toBeUndefined();
  });

  it.each([
    'limit=%',
    'limit=%zz',
    'limit=%4',
    'a=%c3%28',
    'a=%ff',
    '%=1',
    'unread=%E0%A4%A',
    'a=%00',
    'a=é',
    'a=b c',
  ])('refuses %j with 400', (raw) => {
    const error = refusal(raw);
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ status: 400, code: 'query_invalid' });
  });

  it('agrees with URLSearchParams about everything that is well-formed', () => {
    const word = fc.string({ unit: 'grapheme' }).filter((text) => !/\p{Surrogate}|\0/u.test(text));
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word)), (pairs) => {
        const raw = new URLSearchParams(pairs).toString();
        const query = parseQuery(raw);
        const oracle = new URLSearchParams(raw);
        expect([...query.keys()]).toEqual([...new Set(oracle.keys())]);
        for (const [key, value] of query) expect(value).toBe(oracle.get(key));
      }),
    );
  });

  it('throws nothing but its own 400, whatever is sent', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('%', '%2', '%41', '%c3', '%a9', '&', '=', '+', '%F0%9F'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const error = refusal(pieces.join(''));
        if (error !== undefined) expect(error).toMatchObject({ status: 400, code: 'query_invalid' });
      }),
    );
  });
});
