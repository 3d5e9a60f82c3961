import { mkdirSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright';
import { type Trespasses, watchPage } from '../../server/docs/open-browser.ts';

/** Pictures of the pages, for a person to look at. */
const PICTURES = new URL('../../.output/site/', import.meta.url).pathname;

export interface Look {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly javaScriptEnabled?: boolean;
}

export interface OpenedPage {
  readonly page: Page;
  readonly trespasses: Trespasses;
  picture(name: string): Promise<void>;
}

/** A window of somebody's own: cookies, colours, width. */
export async function openWindow(browser: Browser, look: Look = {}): Promise<BrowserContext> {
  const { colorScheme = 'light', width = 1280, javaScriptEnabled = true } = look;
  const window = await browser.newContext({
    colorScheme,
    javaScriptEnabled,
    viewport: { width, height: 900 },
  });
  window.setDefaultTimeout(10_000);
  return window;
}

/** Opens a page and writes down what it should not do, from its first request on. */
export async function openPage(context: BrowserContext, origin: string, path: string): Promise<OpenedPage> {
  mkdirSync(PICTURES, { recursive: true });
  const page = await context.newPage();
  const trespasses = watchPage(page, origin);
  await page.goto(origin + path);
  return {
    page,
    trespasses,
    picture: async (name) => {
      await page.screenshot({ path: `${PICTURES}${name}.png`, fullPage: true });
    },
  };
}
