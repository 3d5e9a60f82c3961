import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type Trespasses, watchPage } from '../../server/docs/open-browser.ts';
import { exportCatalog } from './exported-catalog.ts';
import { type FileServer, serveFiles } from './serve-files.ts';

describe.skipIf(!hasBrowser())('an exported catalog in a browser', () => {
  let browser: Browser;
  let server: FileServer;
  let window: BrowserContext;
  let page: Page;
  let seen: Trespasses;
  beforeAll(async () => {
    const base = '/some/where/';
    [browser, server] = await Promise.all([
      openBrowser(),
      exportCatalog(base).then((files) => serveFiles(files, base)),
    ]);
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(async () => {
    window = await browser.newContext();
    window.setDefaultTimeout(8_000);
    page = await window.newPage();
    seen = watchPage(page, new URL(server.url).origin);
  });
  afterEach(async () => {
    await window.close();
    expect(seen).toEqual({ outside: [], errors: [] });
  });

  const open = (path: string) => page.goto(new URL(path, server.url).href);
  const titles = () => page.locator('.entry-row h3').allTextContents();
  const total = (text: string) => page.locator('.total', { hasText: text }).waitFor();

  it('finds as you type, and gives the list back', async () => {
    await open('catalog/company/');
    const before = await titles();
    await page.getByRole('searchbox').fill('answer');
    await total('1 server found');
    expect(await titles()).toEqual(['Answer <b>machine</b>']);
    expect(page.url()).toMatch(/company\/\?q=answer$/);
    await page.getByRole('searchbox').fill('server sto');
    await total('60 servers found');
    expect((await titles()).length).toBe(24);
    await page.getByRole('button', { name: 'Show more' }).click();
    expect((await titles()).length).toBe(48);
    await page.getByRole('searchbox').fill('');
    await total('60 servers');
    expect(await titles()).toEqual(before);
    await page.getByRole('searchbox').fill('nothing-like-this');
    await total('0 servers found');
  });

  it('draws the rows of its search as those of the list are drawn', async () => {
    await open('catalog/company/');
    const rows = () =>
      page.locator('.entry-row').evaluateAll((all) =>
        all.map((row) => ({
          html: row.outerHTML.replace(/ (?:href|data-astro-[\w-]*)="[^"]*"/g, '').replace(/\s+/g, ''),
          href: row.querySelector('a')?.href,
        })),
      );
    const listed = await rows();
    await open('catalog/company/?q=io');
    await total('60 servers found');
    expect(await rows()).toEqual(listed);
  });

  it('narrows by filters that add up, on any page of the list and by address', async () => {
    await open('catalog/company/page/2/');
    await page.locator('#filters a', { hasText: 'third' }).dispatchEvent('click');
    await total('20 servers found');
    await page.locator('#filters a', { hasText: 'npm' }).dispatchEvent('click');
    await total('10 servers found');
    expect(await page.locator('#filters a[aria-current]').count()).toBe(2);
    await page.getByRole('searchbox').fill('server 42');
    await total('1 server found');
    await page.getByRole('link', { name: /^Remove tag:/i }).click();
    await total('1 server found');
    await page.getByRole('link', { name: /^Remove search:/i }).click();
    await total('30 servers found');
    await page.locator('.tabs a', { hasText: 'Skills' }).click();
    await page.waitForURL(`${server.url}catalog/company/skills/`);
    expect(await titles()).toEqual(['pdf']);
  });

  it('leads from the home page to the list of the registry that was chosen, and on to the entry', async () => {
    await open('');
    await page.getByLabel('In registry').selectOption('extras');
    await page.getByRole('searchbox').fill('extra');
    await page.keyboard.press('Enter');
    await total('1 server found');
    await page.locator('.entry-row a').click();
    await page.waitForURL('**/catalog/extras/servers/io.acme/extra/');
    await page.getByRole('link', { name: 'Registries' }).click();
    await page.waitForURL(server.url);
  });

  it('searches the guides, whose results are below the same path', async () => {
    await open('docs/start/install/');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('#starlight__search input').fill('install');
    const result = page.locator('.pagefind-ui__result-link').first();
    await result.waitFor();
    const href = (await result.getAttribute('href')) ?? '';
    expect(new URL(href, page.url()).href).toContain(`${server.url}docs/`);
    await result.click();
    await page.waitForURL(`${server.url}docs/**`);
  });

  it('shows everything without scripts, and no search that would not answer', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const quiet = await plain.newPage();
    await quiet.goto(new URL('catalog/company/', server.url).href);
    expect(await quiet.locator('.entry-row').count()).toBe(24);
    expect(await quiet.getByRole('searchbox').count()).toBe(0);
    for (const number of [2, 3]) {
      await quiet.getByRole('link', { name: 'Next page' }).click();
      await quiet.waitForURL(`${server.url}catalog/company/page/${number}/`);
    }
    expect(await quiet.locator('.entry-row').count()).toBe(12);
    await plain.close();
  });
});
