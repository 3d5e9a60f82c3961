// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shells put values into them, were they not quoted
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFitToCopy, quoteWord } from '../../../../server/site/catalog/snippets/quote-word.ts';

const NASTY = [
  "'; touch /tmp/pwned; '",
  '$(id)',
  '`id`',
  '${HOME}',
  '\\',
  "\\'",
  "\\'; id; \\'",
  '"',
  '!!',
  '~',
  '=ls',
  '*',
  '#x',
  '-n',
  '',
  ' ',
  'a b',
  '%PATH%',
  '&& id',
  '| id',
  '@(x)',
  'é😀',
];

/** What a shell makes of the words. */
function readByShell(shell: string, words: readonly string[]): string[] {
  const { stdout, status } = spawnSync(shell, ['-c', `printf '%s\\0' ${words.map(quoteWord).join(' ')}`]);
  expect(status).toBe(0);
  return stdout.toString('utf8').split('\0').slice(0, -1);
}

describe('quoteWord', () => {
  it.each(['sh', 'bash'])('is read back unchanged by %s, whatever the word', (shell) => {
    const text = fc.string({ unit: 'binary' }).filter((word) => isFitToCopy(word));
    const hostile = fc.string({ unit: fc.constantFrom(...'\'"\\$`;&|<>(){}[]*?!#~= \tab'.split('')) });
    const words = fc.array(fc.oneof(text, hostile), { minLength: 1, maxLength: 30 });
    const property = fc.property(words, (drawn) => {
      const all = [...drawn, ...NASTY];
      expect(readByShell(shell, all)).toEqual(all);
    });
    fc.assert(property, { numRuns: 60 });
  });

  it('leaves no backslash or quote within single quotes, where fish reads them otherwise', () => {
    const property = fc.property(fc.string({ unit: 'binary' }), (word) => {
      expect(quoteWord(word)).toMatch(/^(?:[\w@%+=:,./-]+|(?:'[^'\\]*'|"'"|"\\\\")+)$/u);
    });
    fc.assert(property, { numRuns: 500, examples: NASTY.map((word): [string] => [word]) });
  });

  it.each([
    'npx',
    '@acme/a@1.2.3',
    '--header',
    'https://a.example:1/x',
    'K=v',
  ])('writes %s as it is', (word) => {
    expect(quoteWord(word)).toBe(word);
  });
});

describe('isFitToCopy', () => {
  it.each([
    'a\u0015rm -rf ~',
    'a\rb',
    'a\nb',
    'a\u001b[2K',
    'a\u202eb',
    'a\u200bb',
    'a\u2028b',
    'a\u2019; id; \u2018',
    '\ud800',
  ])('does not take %j', (text) => {
    expect(isFitToCopy(text)).toBe(false);
  });
});
