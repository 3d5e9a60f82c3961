import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Whether browser tests can run. Without a browser it says so on standard error; under CI that is a failure, because a
 * test that is skipped there is a test nobody runs.
 * @throws Error under CI without a browser
 */
export function hasBrowser(): boolean {
  if (existsSync(CHROMIUM)) return true;
  const message = `There is no browser at ${CHROMIUM}: install the package chromium to run the tests of the pages.`;
  if (process.env.CI) throw new Error(message);
  process.stderr.write(`\nSKIPPED: ${message}\n\n`);
  return false;
}

/** @param flags further ones of Chromium */
export function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags] });
}

/** What a page does that it should not. */
export interface Trespasses {
  /** Addresses outside the service. */
  readonly outside: string[];
  /** Errors and warnings on the console, uncaught ones, and answers of 400 or more. */
  readonly errors: string[];
}

/** Writes down what a page asks for and complains about, from now on. */
export function watchPage(page: Page, origin: string): Trespasses {
  const found: Trespasses = { outside: [], errors: [] };
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) found.outside.push(url);
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) found.errors.push(message.text());
  });
  page.on('pageerror', (error) => found.errors.push(error.message));
  page.on('response', (answer) => {
    if (answer.status() >= 400) found.errors.push(`${answer.status()} ${answer.url()}`);
  });
  return found;
}
