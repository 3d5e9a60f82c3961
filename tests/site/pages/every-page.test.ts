import { describe, expect, it } from 'vitest';
import { openPage, STRANGER } from './open-page.ts';

const PAGES = [
  '/',
  '/catalog/company',
  '/catalog/company?type=skill&q=notes&tag=storage',
  '/catalog/company/servers/io.acme/notes',
  '/catalog/company/skills/io.acme/notes/1.2.0',
  '/account',
  '/no/such/page',
  '/site-problem',
];
/** Addresses these load or are sent to by themselves. */
const LOADED = { script: 'src', img: 'src', link: 'href', form: 'action' } as const;

describe.each(PAGES)('the page %s', (path) => {
  it('has one title, headings that skip no level, and landmarks', async () => {
    const { elements } = await openPage(path);
    const levels = elements.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [i, level] of levels.entries()) expect(level).toBeLessThanOrEqual((levels[i - 1] ?? 0) + 1);
    for (const name of ['title', 'header', 'main', 'footer'])
      expect(elements.filter((element) => element.name === name).length, name).toBeGreaterThan(0);
    expect(elements.find(({ attributes }) => attributes.class === 'skip-link')?.attributes.href).toBe(
      '#content',
    );
  });

  it('holds nothing inline and loads nothing from elsewhere', async () => {
    for (const viewer of [undefined, STRANGER]) {
      const { elements } = await openPage(path, viewer ? { viewer } : {});
      for (const { name, attributes, text } of elements) {
        expect(Object.keys(attributes).filter((key) => key === 'style' || key.startsWith('on'))).toEqual([]);
        if (name === 'script')
          expect([text, attributes.src]).toEqual(['', expect.stringMatching(/^\/_astro\//)]);
        expect(name).not.toBe('style');
        const loaded = name in LOADED ? attributes[LOADED[name as keyof typeof LOADED]] : undefined;
        if (loaded !== undefined) expect(loaded).toMatch(/^\/(?!\/)/);
      }
    }
  });

  it('names each of its parts once', async () => {
    const { elements } = await openPage(path);
    const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { attributes } of elements)
      for (const name of ['for', 'aria-labelledby']) {
        const id = attributes[name];
        if (id !== undefined) expect(ids).toContain(id);
      }
  });
});
