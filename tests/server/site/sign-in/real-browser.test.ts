import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { writeSitePolicy } from '../../../../server/site/site-policy.ts';
import { type SignInProvider, startSignInProvider } from '../../../support/start-sign-in-provider.ts';
import { hasBrowser, openBrowser } from '../../docs/open-browser.ts';
import { openBench, type SignInBench } from './sign-in-bench.ts';

/** The pages of the site in short, under its own policy: who it is, a link to sign in, a form to sign out. */
async function answerPage(bench: SignInBench, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith('/sign-')) return bench.answer(request);
  const looked = await bench.answer(new Request(request.url, { headers: request.headers }));
  const { viewer } = JSON.parse(await looked.text());
  const body =
    viewer.kind === 'signed-in'
      ? `<p id="who">${viewer.name}</p><form method="post" action="/sign-out"><input type="hidden" name="csrf" value="${viewer.csrf}"><button>Sign out</button></form>`
      : `<p id="who">nobody</p><a href="/sign-in?return=%2Faccount">Sign in</a>`;
  return new Response(`<!doctype html><title>x</title>${body}`, {
    headers: {
      'Content-Type': 'text/html',
      'Content-Security-Policy': writeSitePolicy(),
      'Referrer-Policy': 'no-referrer',
    },
  });
}

async function serve(answer: (request: Request) => Promise<Response>): Promise<[Server, string]> {
  const server = createServer(getRequestListener(answer, { overrideGlobalObjects: false }));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
}

describe.skipIf(!hasBrowser())('in a real browser', () => {
  let provider: SignInProvider;
  let browser: Browser;
  beforeAll(async () => {
    provider = await startSignInProvider({ personas: { alice: { org: 'acme' } } });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await provider.close();
  });

  it('a person signs in, and out again at the provider, from pages with a strict policy', async () => {
    let bench: SignInBench | undefined;
    const [, site] = await serve((request) => {
      if (bench === undefined) throw new Error('not yet');
      return answerPage(bench, request);
    });
    bench = await openBench(provider, { site: { baseUrl: site } });
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));

    await page.goto(site);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Persona').fill('nobody');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Nobody has that name.').waitFor();
    complaints.length = 0;
    await page.getByLabel('Persona').fill('alice');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Alice Test').waitFor();
    expect(page.url()).toBe(`${site}/account`);
    expect(await page.evaluate('document.cookie')).toBe('');

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign out of the test provider' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('nobody').waitFor();
    expect(page.url()).toBe(`${site}/`);
    expect(await context.cookies(site)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
