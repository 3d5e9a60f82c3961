import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proves } from '../../requirements/proves.ts';
import { makeServer } from '../../support/make-entry.ts';
import { openEntries } from '../../support/make-world.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const word = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 4, maxLength: 12 });
const letter = fc.constantFrom(...LETTERS);
/** Terms that give the dictionary every letter; too far from any word of four to eight to be mistaken for one. */
const ALPHABET = makeServer('alphabet/all', '1.0.0', {
  tags: LETTERS.map((one) => `qqqqqqqqqqqqqqq${one}qqqqqqqqqqqqqqq`),
});

interface Edit {
  readonly at: number;
  readonly kind: 'drop' | 'insert' | 'replace' | 'swap';
  readonly letter: string;
}
const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('drop', 'insert', 'replace', 'swap'),
  letter,
});

function applyEdit(text: string, { at, kind, letter: other }: Edit): string {
  const place = at % text.length;
  const head = text.slice(0, place);
  const tail = text.slice(place);
  if (kind === 'insert') return head + other + tail;
  if (kind === 'drop') return head + tail.slice(1);
  if (kind === 'replace') return head + other + tail.slice(1);
  return head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2);
}

describe('the search index', () => {
  it(`${proves('C-5-55')} finds every word of four letters or more with one letter missing, added, wrong or swapped`, async () => {
    const property = fc.asyncProperty(word, edit, async (wanted, change) => {
      const typed = applyEdit(wanted, change);
      fc.pre(typed.length >= 4);
      const { servers } = await openEntries([
        makeServer('x.y/z', '1.0.0', { body: { description: wanted } }),
        ALPHABET,
      ]);
      const rows = servers.search(typed).map((hit) => servers.nameAt(servers.nameIndexOf(hit.row)));
      expect(rows).toContain('x.y/z');
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it(`${proves('C-5-55')} finds every single edit of one word`, async () => {
    const { servers } = await openEntries([
      makeServer('x.y/postgres'),
      makeServer('x.y/other'),
      makeServer('alphabet/all', '1.0.0', { tags: ALPHABET.tags }),
    ]);
    const find = (text: string) => servers.search(text).map((hit) => servers.nameAt(hit.row));
    for (let at = 0; at < 'postgres'.length; at++) {
      for (const kind of ['drop', 'insert', 'replace', 'swap'] as const) {
        const typed = applyEdit('postgres', { at, kind, letter: 'k' });
        expect(find(typed), typed).toContain('x.y/postgres');
      }
    }
    expect(find('postkkes')).toEqual([]);
  });

  it('takes no two edits and no edit of three letters for a match', async () => {
    const { servers } = await openEntries([makeServer('x.y/z', '1.0.0', { tags: ['postgres', 'aws'] })]);
    expect(servers.search('pxstgrxs')).toEqual([]);
    expect(servers.search('awx')).toEqual([]);
    expect(servers.search('postgrse')).toHaveLength(1);
  });

  it('prefers a whole word to a beginning, and a beginning to a typo', async () => {
    const scoreOf = async (tag: string) => {
      const { servers } = await openEntries([makeServer('x.y/z', '1.0.0', { tags: [tag] })]);
      return servers.search('cloud')[0]?.score ?? 0;
    };
    const [whole, beginning, typo] = [
      await scoreOf('cloud'),
      await scoreOf('clouds'),
      await scoreOf('clowd'),
    ];
    expect(whole).toBeGreaterThan(beginning);
    expect(beginning).toBeGreaterThan(typo);
    expect(typo).toBeGreaterThan(0);
  });

  it(`${proves('C-5-57')} answers any text without failing, and finds an entry by any word of it`, async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    const property = fc.asyncProperty(text, text, async (description, query) => {
      const { servers } = await openEntries([makeServer('x.y/z', '1.0.0', { body: { description } })]);
      for (const hit of servers.search(query)) expect(hit).toEqual({ row: 0, score: expect.any(Number) });
      for (const part of description.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? []) {
        expect(servers.search(part), part).toHaveLength(1);
      }
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
