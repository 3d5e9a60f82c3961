import { describe, expect, it } from 'vitest';
import type { IndexedEntry } from '../../../server/site/export/search-index.ts';
import { searchEntries } from '../../../site/src/scripts/exported/search-entries.ts';

function entry(name: string, more: Partial<IndexedEntry> = {}): IndexedEntry {
  return {
    ...{ type: 'server', name, title: '', description: '', version: '1.0.0', status: 'active', updatedAt: 0 },
    ...{ tags: [], transports: ['stdio'], packages: ['npm'], href: `servers/${name}/` },
    ...more,
  };
}

const ENTRIES = [
  entry('io.x/alpha', { description: 'Reads files of a disk' }),
  entry('io.x/disk', { title: 'Disk', tags: ['storage'] }),
  entry('io.x/floppy', { tags: ['disk', 'storage'], packages: ['oci'] }),
  entry('tools/disk', { type: 'skill' }),
  entry('io.x/übung', { title: 'Übung für Größe', transports: ['sse'] }),
];
const NONE = { type: 'server', q: '', tag: undefined, transport: undefined, package: undefined } as const;
const search = (filters: Partial<Parameters<typeof searchEntries>[1]>) =>
  searchEntries(ENTRIES, { ...NONE, ...filters }).map(({ name }) => name);

describe('the search of an exported list', () => {
  it.each([
    [{}, ['io.x/alpha', 'io.x/disk', 'io.x/floppy', 'io.x/übung']],
    [{ type: 'skill' as const }, ['tools/disk']],
    [{ q: 'disk' }, ['io.x/disk', 'io.x/floppy', 'io.x/alpha']],
    [{ q: 'DIS files' }, ['io.x/alpha']],
    [{ q: 'isk' }, []],
    [{ q: 'größe' }, ['io.x/übung']],
    [{ q: ' - ' }, ['io.x/alpha', 'io.x/disk', 'io.x/floppy', 'io.x/übung']],
    [{ q: '.*' }, ['io.x/alpha', 'io.x/disk', 'io.x/floppy', 'io.x/übung']],
    [{ tag: 'storage' }, ['io.x/disk', 'io.x/floppy']],
    [{ tag: 'storage', package: 'oci' }, ['io.x/floppy']],
    [{ tag: 'stor' }, []],
    [{ transport: 'sse', q: 'x' }, ['io.x/übung']],
  ])('finds for %j %j', (filters, names) => {
    expect(search(filters)).toEqual(names);
  });
});
