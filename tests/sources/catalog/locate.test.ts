import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateItems } from '../../../sources/catalog/locate-items.ts';
import { locateJsonError } from '../../../sources/catalog/locate-json-error.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** JSON texts with every kind of blank space, escapes and nesting. */
const jsonText = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'), fc.constantFrom('\n', '\r\n'))
  .map(([text, indent, lineEnd]) => JSON.stringify(JSON.parse(text), null, indent).replaceAll('\n', lineEnd));

describe('locateJsonError', () => {
  it('finds a fault exactly where JSON.parse refuses', () => {
    fc.assert(
      fc.property(
        jsonText,
        fc.nat(),
        fc.constantFrom('', ',', '}', ']', '"', ':', 'x', '0', '.', '\\', '\u0001', ' '),
        (text, at, put) => {
          const spot = at % (text.length + 1);
          for (const broken of [
            text,
            text.slice(0, spot),
            text.slice(0, spot) + put + text.slice(spot),
            text.slice(0, spot) + put + text.slice(spot + 1),
          ]) {
            expect(locateJsonError(broken) === undefined).toBe(isJson(broken));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('accepts everything before the place it names as the start of some JSON', () => {
    fc.assert(
      fc.property(jsonText, fc.nat(), (text, at) => {
        const spot = at % (text.length + 1);
        const found = locateJsonError(`${text.slice(0, spot)}@${text.slice(spot)}`);
        if (found) expect(found.line).toBeLessThanOrEqual(text.slice(0, spot).split('\n').length);
      }),
    );
  });

  it.each([
    ['{\n  "a": 1,\n  }', 3, 3],
    ['[1 2]', 1, 4],
    ['{"a" 1}', 1, 6],
    ['', 1, 1],
    ['[1,\r\n\r\n', 3, 1],
    ['nul', 1, 1],
    ['[] []', 1, 4],
  ])('%j at %i:%i', (text, line, column) => {
    expect(locateJsonError(text)).toEqual({ line, column });
  });
});

describe('locateItems', () => {
  it('gives the line of each item, whatever is inside', () => {
    const item = fc.json({ maxDepth: 3 }).map((text) => JSON.stringify(JSON.parse(text), null, 1));
    fc.assert(
      fc.property(fc.array(item), fc.json({ maxDepth: 2 }), fc.nat(3), (items, other, gap) => {
        const expected: number[] = [];
        let text = `{"servers": 1, "oth\\"er": ${other}, "data": {"x": [[], {}], "servers": [`;
        for (const [index, one] of items.entries()) {
          text += `${index > 0 ? ',' : ''}${'\n'.repeat(gap)} `;
          expected.push(text.split('\n').length);
          text += one;
        }
        text += ']}, "z": "]}"}';
        expect(isJson(text)).toBe(true);
        expect(locateItems(text, ['data', 'servers'])).toEqual(expected);
      }),
    );
  });

  it('takes the last of a repeated key, as the parser does', () => {
    expect(locateItems('{"a":[1],\n"a":\n[2]}', ['a'])).toEqual([3]);
  });

  it('answers the one line of what is no array, and nothing for what is not there', () => {
    expect(locateItems('\n\n{"a": 1}', [])).toEqual([3]);
    expect(locateItems('{"a": 1}', ['b'])).toEqual([]);
    expect(locateItems('{"a": 1}', ['a', 'b'])).toEqual([]);
  });
});
