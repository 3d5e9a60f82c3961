import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, watchPage } from '../../server/docs/open-browser.ts';
import { ALL_WORDS, type Company, PERSONAS, startCompany } from './company.ts';
import { openPage, openWindow } from './open-pages.ts';
import { signInWithWindow } from './sign-in-with-window.ts';

const NOTHING = { outside: [], errors: [] };
const NEW = {
  name: 'com.acme.data/weekly-report',
  title: 'Weekly report',
  description: 'Reads the numbers of the week',
  version: '1.0.0',
  remotes: [{ type: 'streamable-http', url: 'https://report.acme.example/mcp' }],
};

let company: Company;
let browser: Browser;
beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), openBrowser()]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await company?.close();
});

const enter = async (persona: string): Promise<{ window: BrowserContext; page: Page }> => {
  const window = await openWindow(browser);
  return { window, page: await signInWithWindow(window, company, persona) };
};
const open = (page: Page, path: string) => page.goto(company.service.url + path);
const textOf = async (page: Page) => ((await page.locator('main').textContent()) ?? '').toLowerCase();

describe('people who sign in', () => {
  it.each(['intern', 'dora', 'pat'])('see their own catalog: %s', async (persona) => {
    const { window, page } = await enter(persona);
    expect(page.url()).toBe(`${company.service.url}/account`);
    expect(await textOf(page)).toContain('viewing as');
    const trespasses = watchPage(page, company.service.url);
    await open(page, '/catalog/company');
    const seen = await textOf(page);
    const words = PERSONAS[persona]?.words.filter((word) => word !== 'okapi') ?? [];
    for (const word of ALL_WORDS) expect(seen.includes(word), word).toBe(words.some((own) => own === word));
    await page.screenshot({
      path: new URL(`../../.output/site/as-${persona}.png`, import.meta.url).pathname,
    });
    expect(trespasses).toEqual(NOTHING);
    await window.close();
  });

  it('come back to the page they wanted', async () => {
    const window = await openWindow(browser);
    const { page } = await openPage(window, company.service.url, '/catalog/company');
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByLabel('Persona').fill('pat');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${company.service.url}/catalog/company`);
    await page.getByText('narwhal reader').first().waitFor();
    await window.close();
  });

  it('are told what is in the way when they have no right to a registry', async () => {
    const { window, page } = await enter('olga');
    const answer = await open(page, '/catalog/company');
    expect(answer?.status()).toBe(403);
    expect(await textOf(page)).toContain('claims');
    await window.close();
  });

  it('sign out here and at the provider', async () => {
    const { window, page } = await enter('dora');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${company.provider.url}/**`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${company.service.url}/**`);
    await open(page, '/account');
    expect(await textOf(page)).toContain('you are not signed in');
    expect((await window.cookies()).filter(({ value }) => value.startsWith('ey'))).toEqual([]);
    await window.close();
  });
});

describe('an administrator', () => {
  it('publishes, is corrected, deprecates, and others see it at once', async () => {
    const { window, page } = await enter('dora');
    await open(page, '/admin/publish');
    await page.getByLabel('Its text').fill(JSON.stringify({ ...NEW, version: '' }));
    await page.getByLabel(/^Claims/).fill('org=acme\nteam=data');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('alert').first().waitFor();
    expect(await page.locator('#entry-errors').textContent()).toMatch(/version/);
    expect(await page.getByLabel('Its text').inputValue()).toContain('weekly-report');

    await page.getByLabel('Its text').fill(JSON.stringify(NEW));
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith('/publish') || url.search !== '');
    await open(page, '/catalog/company?q=weekly');
    await page.getByText('Weekly report').first().waitFor();

    const { window: other, page: outsider } = await enter('pat');
    await open(outsider, '/catalog/company?q=weekly');
    expect(await outsider.locator('.entries').count()).toBe(0);
    await other.close();

    await open(page, '/admin/entries/server/com.acme.data/weekly-report?version=1.0.0');
    await page.getByText('Deprecate this version').click();
    await page.getByLabel('Why, and what to use instead').fill('use the dashboard');
    await page.getByRole('button', { name: 'Deprecate 1.0.0' }).click();
    await page.getByRole('status').first().waitFor();
    await open(page, '/catalog/company/servers/com.acme.data/weekly-report');
    expect(await textOf(page)).toContain('use the dashboard');
    await page.screenshot({ path: new URL('../../.output/site/deprecated.png', import.meta.url).pathname });
    await window.close();
  });

  it('sees who sees an entry, and why', async () => {
    const { window, page } = await enter('rosa');
    const name = 'com.acme.quokka/quokka-reader';
    await open(page, `/admin/access?registry=company&type=server&name=${name}`);
    expect(await textOf(page)).toContain('quokka-tools');
    for (const path of ['/admin', '/admin/sources', '/admin/sources/quokka-tools', '/admin/publish']) {
      await open(page, path);
      await page.screenshot({
        path: new URL(`../../.output/site/page${path.replaceAll('/', '-')}.png`, import.meta.url).pathname,
        fullPage: true,
      });
    }
    await window.close();
  });

  it('has a source synchronised now', async () => {
    const { window, page } = await enter('rosa');
    await open(page, '/admin/sources/quokka-tools');
    await page.getByRole('button', { name: /sync now/i }).click();
    await page.getByRole('status').first().waitFor();
    await window.close();
  });
});
