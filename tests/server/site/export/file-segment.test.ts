import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileSegment } from '../../../../server/site/export/file-segment.ts';

describe('a segment of an exported path', () => {
  it.each([
    ['io.github.acme', 'io.github.acme'],
    ['1.0.0-rc.1', '1.0.0-rc.1'],
    ['1.0.0+build', '1.0.0~2bbuild'],
    ['../../etc', '~2e./../etc'.replaceAll('/', '~2f')],
    ['..', '~2e~2e'],
    ['.git', '~2egit'],
    ['a~b', 'a~7eb'],
    ['index.html', '~69ndex.html'],
    ['é', '~c3~a9'],
  ])('of %s is %s', (name, segment) => {
    expect(fileSegment(name)).toBe(segment);
  });

  it('stays within its folder, needs no escape in a URL and is shared by no two names', () => {
    const text = fc.oneof(
      fc
        .string({ unit: 'binary', minLength: 1, maxLength: 300 })
        .filter((name) => Buffer.from(name).toString() === name),
      fc.string({ unit: fc.constantFrom('.', '~', '/', 'a', '2', 'e'), minLength: 1, maxLength: 6 }),
    );
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [first, second] = [fileSegment(one), fileSegment(other)];
        expect(first).toMatch(/^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/);
        expect(first.length).toBeLessThanOrEqual(255);
        expect(encodeURIComponent(first)).toBe(first);
        expect(first === second).toBe(one === other);
      }),
    );
  });
});
