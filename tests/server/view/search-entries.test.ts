import { describe, expect, it } from 'vitest';
import { listEntries } from '../../../server/view/list-entries.ts';
import type { CatalogEntry } from '../../../sources/model/entry.ts';
import { proves } from '../../requirements/proves.ts';
import { makeServer } from '../../support/make-entry.ts';
import { makeAnonymous } from '../../support/make-identity.ts';
import { makeSegment, makeWorld } from '../../support/make-world.ts';

const CATALOG: readonly CatalogEntry[] = [
  makeServer('com.acme/github', '1.0.0'),
  makeServer('com.acme/github-helper', '1.0.0'),
  makeServer('com.acme/notes', '1.0.0', { body: { description: 'Keeps notes beside github issues' } }),
  makeServer('com.acme/boards', '1.0.0', { body: { title: 'GitHub Boards' } }),
  makeServer('com.acme/tagged', '1.0.0', { tags: ['github', 'project tracking'] }),
  makeServer('com.acme/tooled', '1.0.0', { tools: ['create_github_issue', 'listPullRequests'] }),
  makeServer('com.github/other', '1.0.0'),
  makeServer('com.acme/weather', '1.0.0', { body: { description: 'Wetter für Zürich und 東京' } }),
  makeServer('com.acme/percent', '1.0.0', { body: { description: 'Saves 100% of_the time' } }),
  makeServer('com.acme/plain_name', '1.0.0', { body: { description: 'Nothing special' } }),
];

async function search(text: string, catalog = CATALOG): Promise<string[]> {
  const world = makeWorld({ main: { segments: [await makeSegment('s', catalog)] } });
  const sight = world.registries.get('main')?.sightOf(makeAnonymous());
  if (!sight) throw new Error('no registry');
  const page = listEntries(sight, { type: 'server', includeDeleted: false, limit: 100, search: text });
  return page.items.map(({ table, row }) => table.nameAt(table.nameIndexOf(row)));
}

describe('a search', () => {
  it(`${proves('C-5-08', 'C-5-53')} covers name, title, description, tags and tool names, in this order of weight`, async () => {
    expect(await search('github')).toEqual([
      'com.acme/github',
      'com.acme/github-helper',
      'com.acme/boards',
      'com.acme/tagged',
      'com.acme/tooled',
      'com.github/other',
      'com.acme/notes',
    ]);
    expect(await search('tracking')).toEqual(['com.acme/tagged']);
    expect(await search('pull')).toEqual(['com.acme/tooled']);
    expect(await search('listpullrequests')).toEqual(['com.acme/tooled']);
  });

  it.each([
    'com.acme/github',
    'github',
    'GitHub',
    ' COM.ACME/GITHUB ',
  ])(`${proves('C-5-56')} ranks the exact name first: %j`, async (text) => {
    const [first] = await search(text);
    expect(first).toBe('com.acme/github');
  });

  it(`${proves('C-5-56')} ranks the exact name first even where others say the word everywhere`, async () => {
    const loud = Array.from({ length: 40 }, (_, i) =>
      makeServer(`a.a/github-${i}`, '1.0.0', {
        tags: ['github'],
        tools: ['github'],
        body: { title: 'github github', description: 'github github github' },
      }),
    );
    const [first] = await search('github', [...loud, makeServer('z.z/github')]);
    expect(first).toBe('z.z/github');
  });

  it(`${proves('C-5-54')} matches the beginning of a word, of any length`, async () => {
    for (let length = 1; length <= 'weather'.length; length++) {
      expect(await search('weather'.slice(0, length))).toContain('com.acme/weather');
    }
    expect(await search('eather')).toEqual(['com.acme/weather']);
    expect(await search('eath')).toEqual([]);
    expect(await search('zür')).toEqual(['com.acme/weather']);
    expect(await search('東')).toEqual(['com.acme/weather']);
  });

  it('wants every word, in any order and any field', async () => {
    expect(await search('issues notes')).toEqual(['com.acme/notes']);
    expect(await search('acme github tracking')).toEqual(['com.acme/tagged']);
    expect(await search('github nowhere')).toEqual([]);
  });

  it(`${proves('C-5-57')} takes percent and underscore for plain characters`, async () => {
    expect(await search('%')).toEqual([]);
    expect(await search('%%')).toEqual([]);
    expect(await search('_')).toEqual(['com.acme/plain_name']);
    expect(await search('n%tes')).toEqual([]);
    expect(await search('g_t_u_')).toEqual([]);
    expect(await search('100%')).toEqual(['com.acme/percent']);
    expect(await search('plain_name')).toEqual(['com.acme/plain_name']);
    expect(await search('"*" OR (NEAR')).toEqual([]);
  });

  it(`${proves('C-5-58')} finds nothing without a fuss`, async () => {
    expect(await search('quetzalcoatl')).toEqual([]);
    expect(await search('github', [])).toEqual([]);
  });
});
