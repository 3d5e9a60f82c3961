import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openBrowser } from '../../server/docs/open-browser.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Company, startCompany } from './company.ts';
import { openWindow } from './open-pages.ts';
import { signInWithWindow } from './sign-in-with-window.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const reportSchema = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const READER = '/catalog/company/servers/com.acme.quokka/quokka-reader';
/** Every kind of page once. */
const PAGES = [
  '/',
  '/catalog/company',
  '/catalog/company?type=skill',
  '/catalog/company?q=quokka&package=npm',
  '/catalog/company?q=nothing-like-this',
  READER,
  `${READER}/1.0.0`,
  '/catalog/company/servers/com.acme.quokka/quokka-writer',
  '/catalog/company/servers/com.acme/none',
  '/account',
  '/docs/start/install/',
  '/docs/reference/configuration/',
  '/docs/troubleshooting/',
  '/admin',
  '/admin/sources',
  '/admin/sources/quokka-tools',
  '/admin/access?registry=company&type=server&name=com.acme.quokka/quokka-reader',
  '/admin/publish',
];

let company: Company;
let browser: Browser;
const windows = new Map<string, BrowserContext>();
beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), openBrowser()]);
  for (const colorScheme of ['light', 'dark'] as const) {
    const window = await openWindow(browser, { colorScheme });
    await signInWithWindow(window, company, 'rosa');
    windows.set(colorScheme, window);
  }
}, 90_000);
afterAll(async () => {
  await browser?.close();
  await company?.close();
});

/** Code that scrolls takes the focus as soon as the script of the guides has looked at it. */
const CODE_IS_READY = `[...document.querySelectorAll('.expressive-code pre')].every(
  (code) => code.scrollWidth <= code.clientWidth || code.hasAttribute('tabindex'))`;

/** @returns what axe has against the page, a line each */
async function inspect(page: Page): Promise<string[]> {
  await waitUntil(() => page.evaluate(CODE_IS_READY), 'code that can be scrolled by keyboard');
  // Handed in by the test, not loaded by the page: its policy allows no such script.
  await page.evaluate(AXE);
  const options = {
    runOnly: { type: 'tag', values: RULES },
    // Starlight's search button is called Search and shows its keys besides, which are no part of its label.
    rules: { 'label-content-name-mismatch': { enabled: false } },
  };
  const { violations } = reportSchema.parse(
    await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes
      // Expressive Code calls each block that scrolls a region and has no names for them.
      .filter(({ html }) => id !== 'landmark-unique' || !html.startsWith('<pre data-language'))
      .map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  );
}

describe.each(['light', 'dark'])('the pages for everybody, %s', (colorScheme) => {
  it.each(PAGES)('%s', async (path) => {
    const window = windows.get(colorScheme);
    if (!window) throw new Error('no window was opened');
    const page = await window.newPage();
    await page.goto(company.service.url + path);
    expect(await inspect(page)).toEqual([]);
    await page.close();
  });

  it('also before somebody signs in', async () => {
    const window = await openWindow(browser, { colorScheme: colorScheme === 'dark' ? 'dark' : 'light' });
    const page = await window.newPage();
    for (const path of ['/', '/catalog/company', '/account']) {
      await page.goto(company.service.url + path);
      expect(await inspect(page), path).toEqual([]);
    }
    await window.close();
  });
});
