import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from '../../../sources/catalog/match-glob.ts';

describe('compileGlob', () => {
  it.each([
    ['*', 'a/b', true],
    ['io.github.*', 'io.github.x/y', true],
    ['io.github.*', 'io.gitlab.x/y', false],
    ['*/mcp', 'a.b/mcp', true],
    ['*/mcp', 'a.b/mcp2', false],
    ['a.b/c', 'aXb/c', false],
    ['a/?', 'a/b', true],
    ['a/?', 'a/bc', false],
    ['a/[bc]', 'a/c', true],
    ['a/[!bc]', 'a/c', false],
    ['a/[^bc]', 'a/d', true],
    ['a/[a-c]x', 'a/bx', true],
    ['a/[z-a]', 'a/-', true],
    ['{io,com}.x/*', 'com.x/y', true],
    ['{io,com}.x/*', 'org.x/y', false],
    ['a/{b*,c}', 'a/bcd', true],
    ['a/[b', 'a/[b', true],
    ['a/{b', 'a/{b', true],
    ['A/b', 'a/b', false],
    ['', '', true],
    ['', 'a', false],
    ['a(b)+|c$^.\\', 'a(b)+|c$^.\\', true],
  ])('%j on %j: %s', (pattern, name, expected) => {
    expect(compileGlob(pattern).test(name)).toBe(expected);
  });

  it('is never invalid', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string(),
        (pattern, name) => typeof compileGlob(pattern).test(name) === 'boolean',
      ),
    );
    const special = fc.string({
      unit: fc.constantFrom('[', ']', '{', '}', '*', '?', '!', '^', '-', ',', '\\', 'a', 'z'),
    });
    fc.assert(
      fc.property(special, special, (pattern, name) => typeof compileGlob(pattern).test(name) === 'boolean'),
      { numRuns: 2000 },
    );
  });

  it('matches a text without special characters by itself alone', () => {
    const plain = fc.string({ unit: fc.constantFrom('a', '.', '/', '+', '$', '(', '|', '-') });
    fc.assert(
      fc.property(plain, plain, (pattern, name) => compileGlob(pattern).test(name) === (pattern === name)),
    );
  });
});
