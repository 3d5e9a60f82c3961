import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePath } from '../../../server/http/decode-path.ts';
import { HttpError } from '../../../server/http/problem.ts';

/** Decodes byte by byte; undefined when the segment must be refused. */
function decodeNaively(segment: string): string | undefined {
  const bytes: number[] = [];
  for (let index = 0; index < segment.length; index++) {
    const unit = segment.charCodeAt(index);
    if (unit < 0x21 || unit > 0x7e) return undefined;
    if (unit !== 0x25) bytes.push(unit);
    else {
      const hex = segment.slice(index + 1, index + 3);
      if (!/^[0-9a-fA-F]{2}$/.test(hex) || hex === '00') return undefined;
      bytes.push(Number.parseInt(hex, 16));
      index += 2;
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

describe('decodePath', () => {
  it.each([
    ['/', ['']],
    ['/a', ['a']],
    ['/a/', ['a', '']],
    [
      '/registry/r/v0.1/servers/com.example%2Fa/versions',
      ['registry', 'r', 'v0.1', 'servers', 'com.example/a', 'versions'],
    ],
    ['/a+b', ['a+b']],
    ['/..%2f..%2Fetc', ['../../etc']],
    ['//a', ['', 'a']],
    ['/%C3%A9', ['é']],
    ['/%252F', ['%2F']],
  ])('decodes %s', (raw, segments) => {
    expect(decodePath(raw)).toEqual(segments);
  });

  it('agrees with a byte-wise reading of every path, and throws nothing but its own 400', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '%',
        '%2',
        '%zz',
        '%41',
        '%c3',
        '%a9',
        '%C3%A9',
        '%2f',
        '%00',
        '%ED%A0%80',
        '%C0%80',
        '%F4%90%80%80',
        '/',
        '.',
      ),
      fc.string({ maxLength: 3 }),
      fc
        .string({ unit: 'grapheme', maxLength: 2 })
        .map((text) => (/\p{Surrogate}/u.test(text) ? text : encodeURIComponent(text))),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const raw = `/${pieces.join('')}`;
        const naive = raw.slice(1).split('/').map(decodeNaively);
        if (!naive.includes(undefined)) {
          expect(decodePath(raw)).toEqual(naive);
          return;
        }
        expect(() => decodePath(raw)).toThrow(HttpError);
        expect(() => decodePath(raw)).toThrow(
          expect.objectContaining({ status: 400, code: 'path_encoding_invalid' }),
        );
      }),
      { numRuns: 3000 },
    );
  });
});
