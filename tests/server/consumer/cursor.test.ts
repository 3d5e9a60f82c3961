import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cursor, decodeCursor, encodeCursor } from '../../../server/consumer/cursor.ts';
import { proves } from '../../requirements/proves.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
const cursor: fc.Arbitrary<Cursor> = fc.record({
  filters: fc.record(
    {
      type: fc.constantFrom('server' as const, 'skill' as const),
      search: text,
      version: text,
      tag: text,
      source: text,
      status: fc.constantFrom('active' as const, 'deprecated' as const, 'deleted' as const),
      updatedSince: fc.integer({ min: 0, max: 4e12 }),
      includeDeleted: fc.boolean(),
    },
    { requiredKeys: ['type', 'includeDeleted'] },
  ),
  after: fc.record({ name: text, version: text, score: fc.nat() }, { requiredKeys: ['name', 'version'] }),
});

const EXAMPLE: Cursor = {
  filters: { type: 'server', search: 'git hub', version: 'latest', includeDeleted: false },
  after: { name: 'com.acme/github', version: '1.0.0', score: 1600 },
};

function decodeOrCode(encoded: string, type: 'server' | 'skill' = 'server'): unknown {
  try {
    return decodeCursor(encoded, type);
  } catch (error) {
    expect(error).toMatchObject({ status: 400, code: 'cursor_invalid' });
    return 400;
  }
}

/** What somebody makes who knows how a cursor is written. */
function forge(payload: string): string {
  return Buffer.from(hash('sha256', payload, 'base64url').slice(0, 8) + payload).toString('base64url');
}

describe('a cursor', () => {
  it(`${proves('C-5-49', 'C-5-48')} brings back where it stood and every filter, in characters that are safe in a URL`, () => {
    fc.assert(
      fc.property(cursor, (one) => {
        const encoded = encodeCursor(one);
        expect(encoded).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(encodeURIComponent(encoded)).toBe(encoded);
        expect(new URLSearchParams(`cursor=${encoded}`).get('cursor')).toBe(encoded);
        expect(decodeCursor(encoded, one.filters.type)).toEqual(one);
      }),
    );
  });

  it('is the same for the same place, whoever gives it out', () => {
    expect(encodeCursor(EXAMPLE)).toBe(encodeCursor(structuredClone(EXAMPLE)));
  });

  it(`${proves('C-5-52')} is refused after any change, or says what it said`, () => {
    const alphabet = fc.constantFrom(...'ABCXYZabcxyz0189-_=+/.% ~é');
    const edits = fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, 2), alphabet), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(cursor, edits, (one, changes) => {
        let changed = encodeCursor(one);
        for (const [at, width, character] of changes) {
          const place = at % (changed.length + 1);
          changed =
            changed.slice(0, place) + (width === 2 ? '' : character) + changed.slice(place + (width ? 1 : 0));
        }
        const read = decodeOrCode(changed, one.filters.type);
        if (read !== 400) expect(read).toEqual(one);
      }),
      { numRuns: 3000 },
    );
  });

  it(`${proves('C-5-52')} is refused when cut off anywhere`, () => {
    const encoded = encodeCursor(EXAMPLE);
    for (let length = 0; length < encoded.length; length++) {
      expect(decodeOrCode(encoded.slice(0, length))).toBe(400);
      expect(decodeOrCode(encoded.slice(length + 1))).toBe(400);
    }
  });

  it(`${proves('C-5-52')} is refused with every bit of it flipped`, () => {
    const bytes = Buffer.from(encodeCursor(EXAMPLE), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(decodeOrCode(flipped.toString('base64url'))).toBe(400);
    }
  });

  it('belongs to one kind of list', () => {
    expect(decodeOrCode(encodeCursor(EXAMPLE), 'skill')).toBe(400);
  });

  it.each([
    'garbage',
    '',
    'null',
    '{}',
    '[]',
    '[1]',
    '[1,["a/a","1"],{"type":"server","includeDeleted":false}]',
    '[2,["a/a","1",null],{"type":"server","includeDeleted":false}]',
    '[1,["a/a","1",null],{"type":"plugin","includeDeleted":false}]',
    '[1,["a/a","1","high"],{"type":"server","includeDeleted":false}]',
    '[1,["a/a","1",null],{"type":"server","includeDeleted":false,"status":"gone"}]',
  ])(`${proves('C-5-52')} is refused when forged around %j`, (payload) => {
    expect(decodeOrCode(forge(payload))).toBe(400);
  });

  it('is refused in the form other registries give out', () => {
    for (const foreign of [
      'com.acme/github:1.0.0',
      Buffer.from('com.acme/github,1.0.0').toString('base64'),
      'abc',
    ]) {
      expect(decodeOrCode(foreign)).toBe(400);
    }
  });
});
