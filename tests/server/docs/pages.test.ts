import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../server/openapi/create-openapi.ts';
import type { RunningServer } from '../../../server/start-server.ts';
import { hasBrowser, openBrowser, watchPage } from './open-browser.ts';
import { openService } from './open-service.ts';

const PICTURES = new URL('../../.output/', import.meta.url).pathname;
const PROVIDER = { name: 'idp', issuerUrl: 'https://id.example.com', audience: 'berth' };
const OAUTH = {
  mode: 'oauth',
  oauth: { resourceUrl: 'https://registry.example.com', providers: [PROVIDER] },
};

describe.skipIf(!hasBrowser())('the pages in a browser', () => {
  let browser: Browser;
  let service: RunningServer;
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    [browser, service] = await Promise.all([
      openBrowser(),
      openService({ site: { title: 'Acme registry' } }),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  const openPage = async (path: string, colorScheme: 'light' | 'dark', origin = service.url) => {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1100, height: 900 } });
    const trespasses = watchPage(page, origin);
    await page.goto(origin + path);
    return { page, trespasses };
  };
  const picture = (page: Page, name: string) => page.screenshot({ path: `${PICTURES}${name}.png` });

  it.each(['light', 'dark'] as const)('show every operation in the reference (%s)', async (scheme) => {
    const { page, trespasses } = await openPage('/docs/api', scheme);
    await page
      .locator('.opblock')
      .nth(OPERATIONS.length - 1)
      .waitFor();
    expect(await page.locator('.opblock').count()).toBe(OPERATIONS.length);
    expect(await page.locator('html.dark-mode').count()).toBe(scheme === 'dark' ? 1 : 0);
    await picture(page, `reference-${scheme}`);
    await page.locator('#operations-Servers-listServers button.opblock-summary-control').click();
    await page.locator('.opblock-body .responses-table').first().waitFor();
    await page.locator('.try-out__btn').first().click();
    await page.locator('#operations-Servers-listServers .execute').click();
    await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    await picture(page, `operation-${scheme}`);
    expect(trespasses).toEqual({ outside: [], errors: [] });
    await page.close();
  });

  it.each(['light', 'dark'] as const)('list the registries to copy from (%s)', async (scheme) => {
    const { page, trespasses } = await openPage('/', scheme);
    await page.locator('#registries li').waitFor();
    expect(await page.locator('#registries code').allTextContents()).toEqual([
      `${service.url}/registry/public`,
    ]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await picture(page, `landing-${scheme}`);
    await page.getByRole('button', { name: 'Copy the base URL of public' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${service.url}/registry/public`);
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.waitForURL('**/docs/api');
    await page.locator('.opblock').first().waitFor();
    expect(trespasses).toEqual({ outside: [], errors: [] });
    await page.close();
  });

  it('fit a telephone', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    await page.goto(`${service.url}/`);
    await page.locator('#registries li').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await picture(page, 'landing-telephone');
    await page.close();
  });

  it('ask for a token where one is needed, and say why it was refused', async () => {
    const guarded = await openService({ auth: OAUTH });
    try {
      const { page, trespasses } = await openPage('/', 'light', guarded.url);
      await page.getByLabel('Access token').waitFor();
      await picture(page, 'landing-token');
      expect(trespasses).toEqual({ outside: [], errors: [] });
      await page.getByLabel('Access token').fill('not-a-token');
      await page.getByRole('button', { name: 'List my registries' }).click();
      await page.getByRole('status').getByText('the token is malformed').waitFor();
      expect(await page.getByLabel('Access token').inputValue()).toBe('');
      expect(trespasses.outside).toEqual([]);
      await page.close();
    } finally {
      await guarded.close();
    }
  });
});
