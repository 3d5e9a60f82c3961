import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareNewestFirst, findLatest, readVersion } from '../../../sources/model/version.ts';

const part = fc.nat({ max: 30 });
const pre = fc.constantFrom('', '-alpha', '-alpha.1', '-beta.2', '-beta.11', '-rc.1', '-0', '-x.y.z');
const build = fc.constantFrom('', '+build.1', '+build.10');
const parseable = fc
  .tuple(fc.constantFrom('', 'v', 'V'), part, part, part, pre, build)
  .map(([v, a, b, c, p, m]) => `${v}${a}.${b}.${c}${p}${m}`);
const partial = fc
  .tuple(fc.constantFrom('', 'v'), part, fc.option(part))
  .map(([v, a, b]) => (b === null ? `${v}${a}` : `${v}${a}.${b}`));
const other = fc.oneof(
  fc.constantFrom('nightly', 'stable', '2025-08-21', '2025.04.25', 'edge', 'v', '1.'),
  fc.string(),
);
const version = fc.oneof(parseable, partial, other);

const inOrder = (texts: readonly string[]) =>
  texts
    .map(readVersion)
    .sort(compareNewestFirst)
    .map(({ text }) => text);
const latestOf = (texts: readonly string[]) => {
  const ordered = texts.map(readVersion).sort(compareNewestFirst);
  return ordered[findLatest(ordered)]?.text;
};

describe('the order of versions', () => {
  it('is antisymmetric and total', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const forth = compareNewestFirst(readVersion(a), readVersion(b));
        const back = compareNewestFirst(readVersion(b), readVersion(a));
        expect(Math.sign(forth) + Math.sign(back)).toBe(0);
        expect(forth === 0).toBe(a === b);
      }),
      { numRuns: 2000 },
    );
  });

  it('is transitive', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        const [first, second, third] = [a, b, c].map(readVersion).sort(compareNewestFirst);
        if (first && second && third) {
          expect(compareNewestFirst(first, second)).toBeLessThanOrEqual(0);
          expect(compareNewestFirst(second, third)).toBeLessThanOrEqual(0);
          expect(compareNewestFirst(first, third)).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('and the latest are the same after any shuffling', () => {
    const shuffled = fc
      .uniqueArray(version, { minLength: 1, maxLength: 12 })
      .chain((texts) =>
        fc.tuple(fc.constant(texts), fc.shuffledSubarray(texts, { minLength: texts.length })),
      );
    fc.assert(
      fc.property(shuffled, ([texts, mixed]) => {
        expect(inOrder(mixed)).toEqual(inOrder(texts));
        expect(latestOf(mixed)).toBe(latestOf(texts));
      }),
    );
  });

  it('puts parseable versions before all others', () => {
    fc.assert(
      fc.property(fc.array(version), (texts) => {
        const kinds = texts
          .map(readVersion)
          .sort(compareNewestFirst)
          .map(({ parsed }) => parsed !== undefined);
        expect(kinds.lastIndexOf(true)).toBeLessThan(
          kinds.includes(false) ? kinds.indexOf(false) : kinds.length,
        );
      }),
    );
  });

  it('follows the numbers', () => {
    fc.assert(
      fc.property(part, part, part, fc.integer({ min: 1, max: 9 }), (a, b, c, more) => {
        expect(inOrder([`${a}.${b}.${c}`, `${a}.${b}.${c + more}`])).toEqual([
          `${a}.${b}.${c + more}`,
          `${a}.${b}.${c}`,
        ]);
        expect(inOrder([`${a}.${b}.${c}-rc.1`, `v${a}.${b}.${c}`])).toEqual([
          `v${a}.${b}.${c}`,
          `${a}.${b}.${c}-rc.1`,
        ]);
      }),
    );
  });
});

describe('latest', () => {
  it.each([
    [['1.9.0', '2.0.0-rc.1', '1.2.0', '1.10.0'], '1.10.0'],
    [['v1.10.0', 'v1.2.0', '1.9.3', 'v1.0.0'], 'v1.10.0'],
    [['2024.2', '2025.1', '2024.11', '2024.11.1'], '2025.1'],
    [['0.2.0', 'nightly', '0.1.3'], '0.2.0'],
    [
      [
        '1.0.0-beta.11',
        '1.0.0-alpha',
        '1.0.0',
        '1.0.0-alpha.beta',
        '1.0.0-rc.1',
        '1.0.0-beta',
        '1.0.0-alpha.1',
        '1.0.0-beta.2',
      ],
      '1.0.0',
    ],
    [['99.0.0', '9.0.0', '100.0.0', '10.0.0'], '100.0.0'],
    [['0.2.0-dev.20250101', '0.1.0-beta.1', '0.1.0-beta.2'], '0.2.0-dev.20250101'],
    [['stable', 'nightly', 'edge'], 'stable'],
    [['2025.4.24', '2025.10.1', '2025.4.6', '2025.04.25'], '2025.10.1'],
    [['0.10.0', '1.0.1-rc.1', '0.9.0', '1.0.0'], '1.0.0'],
    [['0.6.2', '2025-08-21', '2025.4.24', '2025.8.21'], '2025.8.21'],
  ])('of %j is %s', (texts, expected) => {
    expect(latestOf(texts)).toBe(expected);
  });

  it.each([
    [['1.0.0+build.10', '1.0.0', '1.0.0+build.9']],
    [['1.0.0', 'v1.0.0', '1.0', '1']],
  ])('of %j, all of equal precedence, is one of them', (texts) => {
    expect(texts).toContain(latestOf(texts));
  });

  it('of none is none', () => {
    expect(findLatest([])).toBe(-1);
  });
});
