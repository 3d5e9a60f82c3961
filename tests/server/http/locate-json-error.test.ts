import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateJsonError } from '../../../server/http/locate-json-error.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('locateJsonError', () => {
  it('finds nothing wrong with any JSON text', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(locateJsonError(text)).toBeUndefined();
      }),
    );
  });

  it('agrees with the engine about every damaged JSON text', () => {
    const damaged = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', ']', '}', '"', '\\', '0', '.5', ':', '\u0001', 'x', ' '),
        fc.nat(2),
      )
      .map(([text, at, piece, drop]) => {
        const index = at % (text.length + 1);
        return text.slice(0, index) + piece + text.slice(index + drop);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        expect(locateJsonError(text) === undefined, text).toBe(isJson(text));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['{"a": 1,}', 1, 9],
    ['{\n  "a": tru\n}', 2, 8],
    ['', 1, 1],
    ['{"a"', 1, 5],
    ['[1, 2', 1, 6],
    ['{"a":1} x', 1, 9],
    ['"open', 1, 1],
    ['[01]', 1, 3],
  ])('places the error of %j at line %i, column %i', (text, line, column) => {
    expect(locateJsonError(text)).toEqual({ line, column });
  });

  it('walks a megabyte of one string and of nesting without running out of stack', () => {
    expect(locateJsonError(`"${'a'.repeat(1_000_000)}"`)).toBeUndefined();
    expect(locateJsonError('['.repeat(1_000_000))).toEqual({ line: 1, column: 1_000_001 });
  });
});
