import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_WORDS, type Company, PERSONAS, startCompany } from './company.ts';
import { crawlSite } from './crawl-site.ts';
import { signInAs } from './sign-in-as.ts';

let company: Company;
beforeAll(async () => {
  company = await startCompany();
}, 60_000);
afterAll(() => company?.close());

/** Addresses that are guessed, besides those that are linked. */
const GUESSED = [
  '/',
  '/catalog',
  '/catalog/company',
  '/catalog/company?type=skill',
  '/catalog/company?q=a',
  '/account',
  '/admin',
  '/admin/sources',
  '/admin/publish',
  '/admin/access',
  '/docs/',
  '/docs/api',
  '/openapi.json',
  '/pagefind/pagefind-entry.json',
  '/sitemap.xml',
  ...ALL_WORDS.flatMap((word) => [
    `/catalog/${word}-registry`,
    `/catalog/company?q=${word}`,
    `/catalog/company?tag=${word}-tag`,
    `/catalog/company/servers/com.acme.${word}/${word}-reader`,
    `/catalog/company/servers/com.acme.${word}/${word}-reader/1.0.0`,
    `/catalog/company/servers/com.acme.${word}/${word}-writer`,
    `/admin/sources/${word}-tools`,
    `/admin/access?registry=company&type=server&name=com.acme.${word}/${word}-reader`,
  ]),
];

/** What was asked for comes back in the page that says it is not there. */
const withoutEcho = (path: string, text: string) => {
  const asked = [...new Set(decodeURIComponent(path).split(/[/?&=]/))].filter((part) => part.length > 4);
  return asked
    .sort((a, b) => b.length - a.length)
    .reduce((rest, part) => rest.replaceAll(part, ''), decode(text));
};
/** An address of an entry is no echo, unless it was asked for itself. */
const tells = (path: string, text: string, word: string) =>
  withoutEcho(path, text).toLowerCase().includes(word) ||
  (!path.includes(`com.acme.${word}`) && decode(text).includes(`com.acme.${word}/`));
const decode = (text: string) => text.replaceAll('%2F', '/').replaceAll('&#x2F;', '/');

describe('nothing of another team is in any page or file', () => {
  it.each([
    ['a stranger', undefined],
    ['an outsider', 'olga'],
    ['an intern', 'intern'],
    ['the data team', 'dora'],
    ['the platform team', 'pat'],
  ])(
    'that %s can find',
    async (_, persona) => {
      const get = await signInAs(company, persona);
      const visited = await crawlSite(get, GUESSED);
      const allowed: readonly string[] = persona === undefined ? [] : (PERSONAS[persona]?.words ?? []);
      const forbidden = ALL_WORDS.filter((word) => !allowed.includes(word));
      const leaks = visited.flatMap(({ path, text }) =>
        forbidden.filter((word) => tells(path, text, word)).map((word) => `${word} in ${path}`),
      );
      expect(leaks).toEqual([]);
      // What they may see is found, so that the walk is known to have gone everywhere.
      for (const word of allowed) {
        const seen = visited.filter(({ status, text }) => status === 200 && text.includes(word));
        expect(seen.length, word).toBeGreaterThan(2);
      }
      expect(visited.filter(({ status }) => status >= 500)).toEqual([]);
    },
    120_000,
  );

  it('and a session opens pages only, not the API', async () => {
    const get = await signInAs(company, 'dora');
    expect((await get('/catalog/company')).status).toBe(200);
    for (const path of ['/registry', '/registry/company/v0.1/servers', '/v1/me', '/v1/sources']) {
      expect((await get(path)).status, path).toBe(401);
    }
  });
});
