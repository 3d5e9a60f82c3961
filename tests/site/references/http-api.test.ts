import { expect, it } from 'vitest';
import { OPERATIONS } from '../../../server/openapi/create-openapi.ts';
import { findRow, readPage } from './written-pages.ts';

it('has every call of the document, with its parameters, answers and problems', () => {
  for (const { method, path, tag, summary, problems = {} } of OPERATIONS) {
    const page = readPage(`http-api/${tag.toLowerCase()}.md`);
    const begin = page.indexOf(`\n## ${summary}\n`);
    expect(begin, summary).toBeGreaterThan(0);
    const end = page.indexOf('\n## ', begin + 1);
    const section = page.slice(begin, end < 0 ? undefined : end);
    expect(section).toContain(`\n${method.toUpperCase()} ${path}\n`);
    for (const code of Object.values(problems).flat()) expect(section, summary).toContain(`[\`${code}\`](`);
  }
});

it('shows a parameter with bounds, a shape and an example', () => {
  expect(findRow(readPage('http-api/servers.md'), 'limit')).toEqual([
    '`limit`<br>query',
    'whole number<br>1 to 100, default `30`',
    expect.stringContaining('page'),
  ]);
  expect(findRow(readPage('http-api/shapes.md'), 'syncPolicy.interval')[0]).toBe(
    '`syncPolicy.interval`<br>**required**',
  );
  expect(readPage('http-api/shapes.md')).toContain('## PublishBody');
  expect(readPage('http-api/entries.md')).toContain('<summary>Example: server</summary>');
});
