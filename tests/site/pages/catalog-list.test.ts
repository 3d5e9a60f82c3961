import { describe, expect, it } from 'vitest';
import type { EntryFilters } from '../../../server/site/catalog-reader.ts';
import { makeCatalog } from './fake-catalog.ts';
import { type OpenedPage, openPage } from './open-page.ts';

const hrefOf = ({ elements }: OpenedPage, text: string | RegExp) =>
  elements.find((element) => element.name === 'a' && element.text.match(text))?.attributes.href;

describe('the list of a registry', () => {
  it('asks for what its address says', async () => {
    const asked: [string, EntryFilters][] = [];
    const catalog = makeCatalog();
    const listEntries: typeof catalog.listEntries = (registry, filters) => {
      asked.push([registry, filters]);
      return catalog.listEntries(registry, filters);
    };
    await openPage('/catalog/company?q=+notes+&type=skill&tag=a%26b&transport=&cursor=c', {
      catalog: { ...catalog, listEntries },
    });
    const nothing = { transport: undefined, package: undefined };
    expect(asked).toEqual([['company', { type: 'skill', q: 'notes', tag: 'a&b', cursor: 'c', ...nothing }]]);
  });

  it('keeps filters in every link, and only them', async () => {
    const page = await openPage('/catalog/company?q=notes&tag=a%26b&cursor=c');
    expect(hrefOf(page, 'Next page')).toBe('/catalog/company?q=notes&tag=a%26b&cursor=next-page');
    expect(hrefOf(page, 'First page')).toBe('/catalog/company?q=notes&tag=a%26b');
    expect(hrefOf(page, /^npm/)).toBe('/catalog/company?q=notes&tag=a%26b&package=npm');
    expect(hrefOf(page, 'Remove Search: notes')).toBe('/catalog/company?tag=a%26b');
    expect(hrefOf(page, 'Remove Tag: a&b')).toBe('/catalog/company?q=notes');
    expect(hrefOf(page, 'Clear all')).toBe('/catalog/company');
    expect(hrefOf(page, /^Skills/)).toBe('/catalog/company?type=skill&q=notes');
  });

  it('takes a filter back with the link that set it', async () => {
    const page = await openPage('/catalog/company?package=npm');
    const link = page.elements.find(({ name, text }) => name === 'a' && text.startsWith('npm'));
    expect(link?.attributes).toMatchObject({ href: '/catalog/company', 'aria-current': 'true' });
  });

  it('searches without a script, within the filters that are set', async () => {
    const { elements } = await openPage('/catalog/company?type=skill&q=notes&tag=storage');
    const form = elements.find(({ name }) => name === 'form');
    expect(form?.attributes).toMatchObject({ method: 'get', action: '/catalog/company' });
    const fields = elements.filter(({ name }) => name === 'input');
    expect(fields.map(({ attributes }) => [attributes.name, attributes.value])).toEqual([
      ['type', 'skill'],
      ['tag', 'storage'],
      ['q', 'notes'],
    ]);
  });

  it('says that nothing was found, and what to do', async () => {
    const catalog = makeCatalog();
    const listEntries: typeof catalog.listEntries = (registry, filters) => {
      const page = catalog.listEntries(registry, filters);
      return page.refused ? page : { ...page, entries: [], total: 0, next: undefined };
    };
    const open = (path: string) => openPage(path, { catalog: { ...catalog, listEntries } });
    expect(hrefOf(await open('/catalog/company?q=none'), 'list all servers')).toBe('/catalog/company');
    expect((await open('/catalog/company?type=skill')).text).toContain('No skills here');
  });

  it('is where the search of the home page leads', async () => {
    const { status, headers } = await openPage('/catalog?registry=company&q=notes');
    expect([status, headers.get('location')]).toEqual([302, '/catalog/company?q=notes']);
    expect((await openPage('/catalog')).headers.get('location')).toBe('/');
  });
});
