import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSpan, findSpans } from '../../../../cli/proxy/json/find-spans.ts';
import { listElements } from '../../../../cli/proxy/json/list-elements.ts';
import { MAX_DEPTH } from '../../../../cli/proxy/json/skip-value.ts';
import { splice } from '../../../../cli/proxy/json/splice.ts';

function textAt(bytes: Buffer, path: readonly string[]): string | undefined {
  const span = findSpan(bytes, path);
  return span && bytes.toString('utf8', span.start, span.end);
}

function follow(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || Array.isArray(current)) return undefined;
    if (!Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const name = fc.constantFrom(
  'id',
  'params',
  '_meta',
  'progressToken',
  '__proto__',
  'é',
  '',
  'a"b',
  '\\',
  'i',
);
const path = fc.array(name, { maxLength: 4 });
const tree = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }),
  ),
})).value;

/** Writes pairs as objects with duplicates, odd spaces and escaped names. */
function write(value: unknown, odd: number): string {
  const space = ['', ' ', '\n\t', '\r '][odd % 4] ?? '';
  if (!Array.isArray(value)) return JSON.stringify(value);
  const isPairs =
    value.length > 0 &&
    value.every((item) => Array.isArray(item) && item.length === 2 && typeof item[0] === 'string');
  if (!isPairs) return `[${space}${value.map((item) => write(item, odd + 1)).join(`${space},`)}${space}]`;
  const members = value.map(([key, inner], index) => {
    const plain = JSON.stringify(key);
    const escaped = `"${[...String(key)].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
    return `${(index + odd) % 3 === 0 ? escaped : plain}${space}:${space}${write(inner, odd + index)}`;
  });
  return `{${space}${members.join(`${space},${space}`)}${space}}`;
}

describe('findSpan', () => {
  it('agrees with JSON.parse on every path of a valid text', () => {
    fc.assert(
      fc.property(tree, fc.nat(11), fc.array(path, { minLength: 1, maxLength: 4 }), (value, odd, paths) => {
        const bytes = Buffer.from(write(value, odd));
        const parsed: unknown = JSON.parse(bytes.toString());
        const spans = findSpans(bytes, paths);
        for (const [index, one] of paths.entries()) {
          const span = spans[index];
          const wanted = follow(parsed, one);
          if (span === undefined) expect(wanted).toBeUndefined();
          else expect(JSON.parse(bytes.toString('utf8', span.start, span.end))).toEqual(wanted);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('finds something exactly in the texts that JSON.parse takes, however they are damaged', () => {
    const damage = fc.tuple(
      fc.nat(200),
      fc.constantFrom(
        '',
        '"',
        '\\',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '0',
        '-',
        '.',
        'e',
        'u',
        ' ',
        '\n',
        '\0',
        't',
        '\u00e9',
        '\ufeff',
      ),
    );
    fc.assert(
      fc.property(fc.json(), fc.array(damage, { minLength: 0, maxLength: 3 }), (text, damages) => {
        let broken = text;
        for (const [where, what] of damages) {
          const at = where % (broken.length + 1);
          broken = broken.slice(0, at) + what + broken.slice(at + (what === '' ? 1 : where % 2));
        }
        const bytes = Buffer.from(broken);
        expect(findSpan(bytes, []) !== undefined).toBe(parse(bytes.toString()) !== undefined);
      }),
      { numRuns: 3000 },
    );
  });

  it('never throws on arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        findSpans(Buffer.from(bytes), [['id'], ['params', '_meta']]);
      }),
      { numRuns: 1000 },
    );
  });

  it('takes the last of members with the same name, and forgets what stood below the earlier one', () => {
    expect(textAt(Buffer.from('{"id":1,"\\u0069d":"two"}'), ['id'])).toBe('"two"');
    expect(textAt(Buffer.from('{"params":{"name":"a"},"params":{}}'), ['params', 'name'])).toBeUndefined();
    expect(textAt(Buffer.from('{"params":{"name":"a"},"params":5}'), ['params', 'name'])).toBeUndefined();
  });

  it('does not take half an escape for a name', () => {
    expect(textAt(Buffer.from('{"\\"":1}'), ['\\'])).toBeUndefined();
    expect(textAt(Buffer.from('{"\\"":1}'), ['"'])).toBe('1');
    expect(textAt(Buffer.from('{"\\\\":1}'), ['\\'])).toBe('1');
  });

  it('keeps numbers as they are written', () => {
    expect(textAt(Buffer.from('{"id": 12345678901234567890 }'), ['id'])).toBe('12345678901234567890');
    expect(textAt(Buffer.from('{"id":1.0e+2}'), ['id'])).toBe('1.0e+2');
  });

  it('bears any depth, and takes what is deeper than the limit for invalid', () => {
    const nest = (depth: number) => Buffer.from(`{"a":${'['.repeat(depth)}${']'.repeat(depth)},"id":1}`);
    expect(textAt(nest(MAX_DEPTH - 1), ['id'])).toBe('1');
    expect(textAt(nest(MAX_DEPTH + 1), ['id'])).toBeUndefined();
    expect(textAt(Buffer.from('['.repeat(1_000_000)), [])).toBeUndefined();
  });

  it('looks within a span only', () => {
    const bytes = Buffer.from('[{"name":"a"},{"name":"b"}]');
    const [first, second] = listElements(bytes, { start: 0, end: bytes.length });
    expect(
      first &&
        bytes.toString(
          'utf8',
          findSpan(bytes, ['name'], first)?.start,
          findSpan(bytes, ['name'], first)?.end,
        ),
    ).toBe('"a"');
    expect(second && findSpan(bytes, ['name'], second)?.start).toBe(22);
  });
});

describe('listElements', () => {
  it('gives the elements JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 2), (values, indent) => {
        const bytes = Buffer.from(` ${JSON.stringify(values, undefined, indent)} `);
        const spans = listElements(bytes, { start: 0, end: bytes.length });
        expect(spans.map((span) => JSON.parse(bytes.toString('utf8', span.start, span.end)))).toEqual(
          JSON.parse(bytes.toString()),
        );
      }),
    );
  });

  it('gives none for what is no array', () => {
    for (const text of ['{}', '', '[1,', '[1 2]', '"[1]"', '[,]', '[1,]']) {
      const bytes = Buffer.from(text);
      expect(listElements(bytes, { start: 0, end: bytes.length })).toEqual([]);
    }
  });
});

describe('splice', () => {
  it('changes only what it was told', () => {
    const bytes = Buffer.from('{"id":1,"x":"é"}');
    const id = findSpan(bytes, ['id']);
    if (id === undefined) throw new Error('no id');
    expect(
      splice(bytes, [
        { ...id, text: '"ü"' },
        { start: 1, end: 1, text: '"a":0,' },
      ]).toString(),
    ).toBe('{"a":0,"id":"ü","x":"é"}');
    expect(splice(bytes, [])).toBe(bytes);
  });

  it('refuses edits that overlap or lie outside', () => {
    const bytes = Buffer.from('abc');
    expect(() =>
      splice(bytes, [
        { start: 0, end: 2, text: '' },
        { start: 1, end: 3, text: '' },
      ]),
    ).toThrow(RangeError);
    expect(() => splice(bytes, [{ start: 2, end: 4, text: '' }])).toThrow(RangeError);
  });
});
