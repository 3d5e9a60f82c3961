import { expect, it } from 'vitest';
import { formatBytes, formatTime } from '../../cli/format-numbers.ts';
import { isColorful } from '../../cli/is-colorful.ts';
import { printTable } from '../../cli/print-table.ts';

it('aligns columns, numbers to the right, without blanks at the end', () => {
  const rows = [
    { name: 'a', count: 5 },
    { name: 'größer', count: 1000 },
  ];
  const lines = printTable<(typeof rows)[number]>(
    [
      { title: 'COUNT', of: ({ count }) => count, align: 'right' },
      { title: 'NAME', of: ({ name }) => name },
    ],
    rows,
  );
  expect(lines).toEqual(['COUNT  NAME', '    5  a', ' 1000  größer']);
});

it('lets no cell steer the terminal', () => {
  const [, line] = printTable<string>([{ title: 'X', of: (text) => text }], ['a\u001b[2Jb\nc\u202e']);
  expect(line).toBe('a [2Jb c');
});

it('writes sizes and times for people', () => {
  expect([0, 999, 1000, 12_345, 4_500_000].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '12.3 kB',
    '4.5 MB',
  ]);
  expect([0.4, 45, 1234].map(formatTime)).toEqual(['0ms', '45ms', '1.2s']);
});

it('colours a terminal only, and not against NO_COLOR', () => {
  expect(isColorful({ isTTY: true }, {})).toBe(true);
  expect(isColorful({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
  expect(isColorful({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
  expect(isColorful({}, {})).toBe(false);
});
