import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openBuiltSite } from '../../../../server/site/built-site.ts';
import type { RunningServer } from '../../../../server/start-server.ts';
import {
  SITE_CLIENT,
  type SignInProvider,
  startSignInProvider,
} from '../../../support/start-sign-in-provider.ts';
import { openService } from '../../docs/open-service.ts';
import { writeBuiltSite } from '../write-built-site.ts';
import { PlainBrowser } from './plain-browser.ts';
import { RESOURCE, read, SITE } from './sign-in-bench.ts';

let provider: SignInProvider;
let site: ReturnType<typeof writeBuiltSite>;
let service: RunningServer;
beforeAll(async () => {
  provider = await startSignInProvider({ personas: { alice: { org: 'acme', team: 'platform' } } });
  site = writeBuiltSite({ 'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  service = await openService(settingsOf(provider), () => openBuiltSite(site.path));
});
afterAll(async () => {
  await service.close();
  await provider.close();
  site.remove();
});

const settingsOf = (one: SignInProvider) => ({
  auth: {
    oauth: { resourceUrl: RESOURCE, providers: [one.provider] },
    authz: { roles: { manageEntries: [{ team: 'platform' }] } },
  },
  site: { baseUrl: SITE, signIn: { clientId: SITE_CLIENT } },
});

/** People reach the service by another address than it listens on, as behind a proxy. */
function openBrowser({ url }: Pick<RunningServer, 'url'> = service): PlainBrowser {
  return new PlainBrowser(SITE, async (request) => {
    const body = request.method === 'POST' ? await request.text() : undefined;
    return fetch(request.url.replace(SITE, url), {
      method: request.method,
      headers: request.headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
  });
}

describe('the service with its pages', () => {
  it('lets a person sign in, call the API as themselves from a page, and sign out', async () => {
    const browser = openBrowser();
    const form = await browser.visit(`${SITE}/sign-in?return=/account`);
    const page = await browser.visit(form.url, { form: { persona: 'alice', answer: 'continue' } });
    expect(page.url).toBe(`${SITE}/account`);
    expect(page.headers.get('cache-control')).toContain('no-store');
    const { viewer, me } = read(page);
    expect(viewer).toMatchObject({ kind: 'signed-in', name: 'Alice Test', roles: ['manageEntries'] });
    expect(me).toMatchObject({ status: 200, body: { subject: 'alice', roles: ['manageEntries'] } });
    const out = await browser.ask(`${SITE}/sign-out`, { form: { csrf: viewer.csrf } });
    expect(out.status).toBe(200);
    expect(read(await browser.ask(`${SITE}/account`)).viewer.kind).toBe('stranger');
  });

  it('uses no refresh token up where its successor would be lost', async () => {
    const brief = await startSignInProvider({ personas: { alice: {} }, lifetime: 30 });
    onTestFinished(() => brief.close());
    const short = await openService(settingsOf(brief), () => openBuiltSite(site.path));
    onTestFinished(() => short.close());
    const browser = openBrowser(short);
    const form = await browser.visit(`${SITE}/sign-in?return=/favicon.svg`);
    await browser.visit(form.url, { form: { persona: 'alice', answer: 'continue' } });
    const calls = () => brief.asked.filter((one) => one === 'POST /token').length;
    expect(calls()).toBe(1);
    await browser.ask(`${SITE}/sign-in`);
    await browser.ask(`${SITE}/sign-in/callback`);
    await browser.ask(`${SITE}/sign-out`, { form: { csrf: 'x' } });
    expect(calls()).toBe(1);
    expect(read(await browser.ask(`${SITE}/account`)).viewer.kind).toBe('signed-in');
    expect(calls()).toBe(2);
  });

  it('shows a page, as HTML, to whoever cannot sign in', async () => {
    const browser = openBrowser();
    const page = await browser.ask(`${SITE}/sign-in/callback?state=x&code=y`);
    expect(page.status).toBe(400);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(read(page).problem).toMatchObject({
      code: 'sign_in_expired',
      detail: `This sign-in was not begun in this browser, or took longer than ten minutes. Begin again at ${SITE}/.`,
    });
  });

  it('ends a sign-in that was refused, together with its cookie', async () => {
    const browser = openBrowser();
    const form = await browser.visit(`${SITE}/sign-in`);
    expect(browser.cookies.has('berth-sign-in')).toBe(true);
    const page = await browser.visit(form.url, { form: { answer: 'cancel' } });
    expect([page.status, read(page).problem.code]).toEqual([403, 'sign_in_refused']);
    expect(browser.cookies.size).toBe(0);
  });

  it('keeps somebody signed in who sends a form without its field', async () => {
    const browser = openBrowser();
    const form = await browser.visit(`${SITE}/sign-in`);
    await browser.visit(form.url, { form: { persona: 'alice', answer: 'continue' } });
    const page = await browser.ask(`${SITE}/admin/publish`, { form: { name: 'x' } });
    expect([page.status, read(page).problem.code]).toEqual([403, 'csrf_refused']);
    expect(read(await browser.ask(`${SITE}/account`)).viewer.kind).toBe('signed-in');
  });
});
