// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkConfigText, loadConfig } from '../../../sources/config/load-config.ts';
import { findNearestName } from '../../../sources/config/nearest-name.ts';
import { ConfigError } from '../../../sources/config/problem.ts';
import { VALID } from './config-texts.ts';

const PIECES = [
  'sources',
  'registries',
  'auth',
  'name',
  'file',
  'git',
  'claims',
  'database',
  'limits',
  ':',
  ': ',
  '\n',
  '\n  ',
  '\n  - ',
  '- ',
  '{',
  '}',
  '[',
  ']',
  ', ',
  '&a ',
  '*a',
  '*b',
  '<<: ',
  '!!binary ',
  '!!set ',
  '!!omap ',
  '!!pairs ',
  '!x ',
  '|\n',
  '>-\n',
  '"',
  "'",
  '#',
  '? ',
  '---\n',
  '...\n',
  '%YAML 1.1\n',
  '${X}',
  '${X:-1}',
  '${',
  '$${',
  '~',
  'null',
  '0x1f',
  '.nan',
  '-.inf',
  '1e999',
  '2001-01-01',
  'true',
  '\t',
  '\r\n',
  '\u0000',
  '\ufeff',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
];
const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(''));
const text = fc.oneof(
  soup,
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.tuple(soup, fc.nat(VALID.length)).map(([piece, at]) => VALID.slice(0, at) + piece + VALID.slice(at)),
);
const env = fc.dictionary(
  fc.constantFrom(
    'X',
    'BERTH_AUTH_MODE',
    'BERTH_SOURCES_0_NAME',
    'BERTH_LIMITS_MAX_PAGE_SIZE',
    'BERTH_SOURCES_0_CLAIMS_A',
  ),
  fc.string(),
);

describe('any text', () => {
  it('is a configuration or a ConfigError with problems that lie in the text', async () => {
    await fc.assert(
      fc.asyncProperty(text, env, async (content, variables) => {
        const outcome = await loadConfig('f', { env: variables, readFile: async () => content }).catch(
          (error: unknown) => error,
        );
        const checked = checkConfigText(content, 'f', variables);
        expect(checked.config === undefined).toBe(checked.problems.length > 0);
        if (checked.config !== undefined) {
          expect(outcome).toMatchObject({ config: checked.config });
          return;
        }
        if (!(outcome instanceof ConfigError)) throw outcome;
        expect(outcome.problems).toEqual(checked.problems);
        const lines = content.split('\n').length;
        for (const problem of outcome.problems) {
          expect(problem.message).not.toMatch(/Invalid input|undefined/);
          expect(problem.line).toBeGreaterThanOrEqual(1);
          expect(problem.line).toBeLessThanOrEqual(lines);
          expect(problem.column).toBeGreaterThanOrEqual(1);
        }
      }),
      { numRuns: 1500 },
    );
  });
});

describe('the nearest name', () => {
  it.each([
    ['sorces', 'sources'],
    ['soucres', 'sources'],
    ['Sources', 'sources'],
    ['sourcess', 'sources'],
    ['auht', 'auth'],
    ['registry', undefined],
    ['x', undefined],
    ['', undefined],
  ])('of %s is %s', (given, nearest) => {
    expect(findNearestName(given, ['sources', 'registries', 'auth'])).toBe(nearest);
  });
});
