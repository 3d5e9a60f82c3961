import { describe, expect, it } from 'vitest';
import { AI_CLIENTS } from '../../../cli/clients/client-table.ts';
import { readGuides } from '../guides/read-guide.ts';

const PLACES = { home: '`~/', applications: 'Applications: `', config: '`~/.config/' } as const;

describe('the table of clients', () => {
  it('lists every client that can be registered, with its file and its key', () => {
    const page = readGuides(['clients']).find((guide) => guide.page === 'clients/others.md');
    const rows = page?.text.split('\n').filter((line) => line.startsWith('| `'));
    const expected = AI_CLIENTS.map(({ name, title, files, key }) => {
      const places = files.map(({ base, path }) => `${PLACES[base]}${path}\``).join(' or ');
      return `| \`${name}\` | ${title} | ${places} | \`${key}\` |`;
    });
    expect(rows).toEqual(expected);
  });
});
