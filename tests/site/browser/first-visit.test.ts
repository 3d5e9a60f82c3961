import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../../requirements/proves.ts';
import { openBrowser } from '../../server/docs/open-browser.ts';
import type { Service } from '../../support/start-service.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { openPage, openWindow } from './open-pages.ts';
import { startSample } from './sample-service.ts';

const NOTHING = { outside: [], errors: [] };
const ENTRY = '/catalog/default/servers/io.github.modelcontextprotocol/server-everything';
const PAINT = `performance.getEntriesByName('first-contentful-paint')[0]`;
const BACKGROUND = 'getComputedStyle(document.body).backgroundColor';
let browser: Browser;
let service: Service;
beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), startSample()]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const open = async (path: string, look = {}) => {
  const context = await openWindow(browser, look);
  return { context, ...(await openPage(context, service.url, path)) };
};

describe('a first visit', () => {
  it(`${proves('C-1-33')} shows the registries, and what to give to clients`, async () => {
    const { page, trespasses, picture, context } = await open('/');
    await page.getByRole('link', { name: 'default' }).first().waitFor();
    expect(await page.getByText(`${service.url}/registry/default`).first().isVisible()).toBe(true);
    await picture('home');
    expect(trespasses).toEqual(NOTHING);
    await context.close();
  });

  it('paints within 0.6 s and takes less than 40 kB of script', async () => {
    const { page, context } = await open('/catalog/default');
    const paints: number[] = [];
    for (let visit = 0; visit < 5; visit += 1) {
      await page.goto(`${service.url}/catalog/default`);
      await waitUntil(() => page.evaluate(`${PAINT} !== undefined`), 'the first paint');
      paints.push(Number(await page.evaluate(`${PAINT}.startTime`)));
    }
    expect(Math.min(...paints)).toBeLessThan(600);
    const html = await page.content();
    const scripts = [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path = '']) => path);
    let bytes = 0;
    for (const path of new Set(scripts)) {
      const answer = await fetch(service.url + path, { headers: { 'Accept-Encoding': 'gzip' } });
      bytes += Number(answer.headers.get('content-length'));
    }
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(40_000);
    await context.close();
  });

  it('finds entries while they are typed, and keeps the address in step', async () => {
    const { page, trespasses, context, picture } = await open('/catalog/default');
    const before = await page.locator('.entries > li').count();
    const field = page.getByRole('searchbox');
    await field.pressSequentially('everything', { delay: 20 });
    await page.waitForURL(/q=everything/);
    await page
      .getByRole('link', { name: /everything/i })
      .first()
      .waitFor();
    expect(await page.locator('.entries > li').count()).toBeLessThan(before);
    expect(await page.evaluate(`document.activeElement.id`)).toBe('q');
    await picture('search');
    expect(trespasses).toEqual(NOTHING);
    await page.reload();
    expect(await field.inputValue()).toBe('everything');
    await context.close();
  });

  it('narrows the list by a filter and takes it away again', async () => {
    const { page, context, trespasses } = await open('/catalog/default');
    const all = await page.locator('#total').textContent();
    const filters = page.locator('#filters');
    await filters.getByRole('link', { name: /npm/i }).first().click();
    await page.waitForURL(/package=npm/);
    expect(await page.locator('#total').textContent()).not.toBe(all);
    await page
      .getByRole('link', { name: /remove|clear/i })
      .first()
      .click();
    await page.waitForURL((url) => !url.search.includes('package='));
    expect(await page.locator('#total').textContent()).toBe(all);
    expect(trespasses).toEqual(NOTHING);
    await context.close();
  });

  it('tells of an entry all that is needed to use it', async () => {
    const { page, context, trespasses, picture } = await open(ENTRY);
    const text = (await page.locator('main').textContent()) ?? '';
    for (const word of ['berth run', 'VS Code', 'Claude Code', 'sample-servers'])
      expect(text).toContain(word);
    await picture('entry');
    expect(trespasses).toEqual(NOTHING);
    await context.close();
  });

  it('works without JavaScript', async () => {
    const { page, context, trespasses } = await open('/catalog/default', { javaScriptEnabled: false });
    await page.getByRole('searchbox').fill('everything');
    await page.getByRole('searchbox').press('Enter');
    await page.waitForURL(/q=everything/);
    await page
      .locator('.entries a', { hasText: /everything/i })
      .first()
      .click();
    await page.waitForURL(/\/servers\//);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(trespasses).toEqual(NOTHING);
    await context.close();
  });

  it('is usable by keyboard alone', async () => {
    const { page, context } = await open('/catalog/default');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('location.hash')).not.toBe('');
    const seen = new Set<string>();
    for (let press = 0; press < 60 && ![...seen].some((href) => href.includes('/servers/')); press += 1) {
      await page.keyboard.press('Tab');
      seen.add(String(await page.evaluate(`document.activeElement.getAttribute('href')`)));
    }
    expect([...seen].some((href) => href.includes('/servers/'))).toBe(true);
    await context.close();
  });

  it.each(['/', '/catalog/default', ENTRY, '/docs/', '/account'])('fits a telephone: %s', async (path) => {
    const { page, context, picture } = await open(path, { width: 390, colorScheme: 'dark' });
    const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(wide).toBeLessThanOrEqual(0);
    await picture(`telephone${path.replaceAll('/', '-')}`);
    await context.close();
  });

  it('remembers which colours somebody chose', async () => {
    const { page, context } = await open('/catalog/default', { colorScheme: 'light' });
    const background = () => page.evaluate(BACKGROUND);
    const light = await background();
    await page.getByRole('button', { name: 'Switch between light and dark colours' }).click();
    await waitUntil(async () => (await background()) !== light, 'other colours');
    await page.goto(`${service.url}${ENTRY}`);
    await waitUntil(async () => (await background()) !== light, 'other colours');
    await page.goto(`${service.url}/docs/`);
    await waitUntil(async () => (await background()) !== light, 'other colours');
    await context.close();
  });

  it('finds guides by their words', async () => {
    const { page, context, trespasses, picture } = await open('/docs/');
    await picture('guides');
    await page.locator('site-search button[data-open-modal]').click();
    await page.locator('dialog input').fill('claims');
    await page.locator('dialog .pagefind-ui__result-link').first().waitFor();
    expect(trespasses).toEqual(NOTHING);
    await context.close();
  });
});
