import { describe, expect, it } from 'vitest';
import { makeCatalog } from './fake-catalog.ts';
import { openPage, SIGNED_IN } from './open-page.ts';

/** Ends what it stands in, whatever that is. */
const hostile = (text: string) =>
  `${text}"'>--></title></textarea></script><script>alert(1)</script><img src=x onerror=alert(1)>`;
const PAGES = [
  '/',
  '/catalog/company',
  '/catalog/company?type=skill',
  '/catalog/company/servers/io.acme/notes',
  '/catalog/company/skills/io.acme/notes',
  '/account',
];
const viewer = {
  ...SIGNED_IN,
  name: hostile('Rosa'),
  subject: hostile('rosa'),
  claims: { [hostile('org')]: [hostile('acme')], [hostile('team')]: [hostile('a'), hostile('b')] },
  csrf: hostile('token'),
};

describe('text of entries and people', () => {
  it.each(PAGES)('stays text on %s', async (path) => {
    const [plain, page] = await Promise.all([
      openPage(path),
      openPage(path, { catalog: makeCatalog(hostile), viewer, title: hostile('Acme registry') }),
    ]);
    expect(page.text).toContain('<img src=x onerror=alert(1)>');
    // Not one element or attribute more or less than without.
    const shape = ({ elements }: typeof page) =>
      elements.map(({ name, attributes }) => `${name} ${Object.keys(attributes).join(' ')}`);
    expect(shape(page)).toEqual(shape(plain));
  });

  it('stays text in the address, too', async () => {
    const query = new URLSearchParams({ q: hostile('q'), tag: hostile('tag'), cursor: hostile('cursor') });
    const { elements } = await openPage(`/catalog/company?${query}`);
    expect(elements.filter(({ name }) => name === 'img')).toHaveLength(1);
    expect(elements.find(({ attributes }) => attributes.name === 'q')?.attributes.value).toBe(hostile('q'));
    const links = elements.flatMap(({ name, attributes }) => (name === 'a' ? (attributes.href ?? []) : []));
    for (const link of links) expect(link).toMatch(/^(?:\/(?!\/)|#)/);
  });

  it('leads to other hosts without telling where from, and only where the reader made a link', async () => {
    const { elements } = await openPage('/catalog/company/servers/io.acme/notes');
    const outward = elements.filter(({ attributes }) => /^[a-z]+:/.test(attributes.href ?? ''));
    expect(outward.map(({ attributes }) => attributes.href)).toEqual([
      'https://git.example.com/acme/notes',
      'https://git.example.com/acme/notes/commit/0a1b2c3',
    ]);
    for (const { attributes } of outward) expect(attributes.rel).toBe('noopener noreferrer nofollow');
  });
});
