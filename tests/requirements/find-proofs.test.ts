import { describe, expect, it } from 'vitest';
import { requirements } from './documents.ts';
import { findProofs } from './find-proofs.ts';
import { measureCoverage } from './measure-coverage.ts';
import { proves } from './proves.ts';

const idsOf = (text: string) => findProofs('a.test.ts', text).map(({ id }) => id);

describe('proves', () => {
  it('names the ids in brackets', () => {
    expect(proves('S-5.9-03', 'C-7-02')).toBe('[S-5.9-03 C-7-02]');
  });

  it('throws for an id of no document', () => {
    // @ts-expect-error an unknown id is a type error too
    expect(() => proves('S-99-01')).toThrow('S-99-01');
  });

  it('throws for a name every object has', () => {
    // @ts-expect-error an unknown id is a type error too
    expect(() => proves('toString')).toThrow('toString');
  });
});

describe('findProofs', () => {
  it('finds every argument, also over several lines, with its place', () => {
    expect(findProofs('a.test.ts', "it(proves('S-1-01',\n  'C-1-02') + ' x', () => {});")).toEqual([
      { id: 'S-1-01', place: 'a.test.ts:1' },
      { id: 'C-1-02', place: 'a.test.ts:2' },
    ]);
  });

  it('finds proofs in tables and conditional tests', () => {
    expect(idsOf("it.each([[proves('S-1-01')]])('%s', run); it.skipIf(x)(proves('S-1-02'), run);")).toEqual([
      'S-1-01',
      'S-1-02',
    ]);
  });

  it.each([
    "it.skip(proves('S-1-01'), run);",
    "it.todo(proves('S-1-01'));",
    "it.fails(proves('S-1-01'), run);",
    "test.skip.each(table)(proves('S-1-01'), run);",
    "describe.skip('x', () => { it(proves('S-1-01'), run); });",
    "// it(proves('S-1-01'), run);",
    'const text = "proves(\'S-1-01\')";',
  ])('takes nothing from %s', (text) => {
    expect(idsOf(text)).toEqual([]);
  });

  it('tells an argument that is no literal', () => {
    expect(idsOf('it(proves(id), run);')).toEqual([undefined]);
  });
});

describe('measureCoverage', () => {
  it('tells unproved, unknown, computed and mislabelled apart', () => {
    const proofs = [
      { id: 'S-5.9-03', place: 'a:1' },
      { id: 'S-5.11-01', place: 'a:2' },
      { id: 'S-5.99-01', place: 'a:3' },
      { id: undefined, place: 'a:4' },
    ];
    // The parts of the documents go as they are built; these two stay for the test.
    const later = { line: 1, behaviour: 'Is built later.', part: 'dynamic' } as const;
    const coverage = measureCoverage(proofs, { ...requirements, 'S-5.11-01': later, 'S-5.11-02': later });
    expect(coverage.proved).toEqual(new Set(['S-5.9-03', 'S-5.11-01']));
    expect(coverage.unproved).toContain('S-5.9-04');
    expect(coverage.unproved).not.toContain('S-5.9-03');
    expect(coverage.mislabelled).toEqual(['S-5.11-01']);
    expect(coverage.open.dynamic).toContain('S-5.11-02');
    expect(coverage.open.dynamic).not.toContain('S-5.11-01');
    expect(coverage.unknown).toEqual([
      'a:3: S-5.99-01 is no requirement',
      'a:4: proves() takes string literals only',
    ]);
  });
});
