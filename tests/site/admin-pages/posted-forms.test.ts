import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlainBrowser } from '../../server/site/sign-in/plain-browser.ts';
import { RESOURCE, SITE } from '../../server/site/sign-in/sign-in-bench.ts';
import {
  SITE_CLIENT,
  type SignInProvider,
  startSignInProvider,
} from '../../support/start-sign-in-provider.ts';
import { type AdministeredService, server, startAdministeredService } from './administered-service.ts';

const publish = (name: string, more: Record<string, string> = {}) => ({
  action: 'publish',
  type: 'server',
  entry: JSON.stringify(server(name)),
  claims: '',
  source: 'published',
  ...more,
});

describe('where nobody signs in', () => {
  let service: AdministeredService;
  beforeAll(async () => {
    service = await startAdministeredService({ auth: { mode: 'anonymous' } });
  });
  afterAll(() => service.close());

  it('does everything the API does for everybody', async () => {
    const visitor = service.visitor('stranger');
    const overview = await visitor.get('/admin');
    expect(overview.text).toContain('This service asks nobody who they are');
    expect(overview.text).toContain('vault');
    const page = await visitor.send('/admin/publish', publish('io.acme/anonymous'));
    expect(page.text).toContain('io.acme/anonymous');
    const access = await visitor.get('/admin/access?registry=company&type=server&name=io.acme/anonymous');
    expect(access.text).toContain('whoever reaches it sees every entry');
  });

  it.each([
    [{ 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'Sec-Fetch-Site': 'same-site' }],
    [{ Origin: 'https://elsewhere.example' }],
    [{ Origin: 'null' }],
  ])('refuses a form another site posts through a visitor (%o)', async (headers) => {
    const visitor = service.visitor('stranger');
    const page = await visitor.post('/admin/publish', publish('io.acme/forged'), headers);
    expect(page.status).toBe(403);
    const { status } = await service.call('stranger', 'GET', '/v1/entries/server/io.acme%2Fforged/claims');
    expect(status).toBe(404);
  });

  it('takes a form of its own', async () => {
    const visitor = service.visitor('stranger');
    for (const [index, headers] of [{ 'Sec-Fetch-Site': 'same-origin' }, { Origin: service.url }].entries()) {
      const page = await visitor.post('/admin/publish', publish(`io.acme/own-${index}`), headers);
      expect(page.status).toBe(303);
    }
  });

  it('answers what is no form with words, not with a failure', async () => {
    const answer = await fetch(`${service.url}/admin/publish`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(415);
    expect(await answer.text()).toContain('What was sent is no form.');
  });
});

describe('of somebody who is signed in', () => {
  let provider: SignInProvider;
  let service: AdministeredService;
  let browser: PlainBrowser;
  beforeAll(async () => {
    provider = await startSignInProvider({ personas: { alice: { org: 'acme', job: 'publisher' } } });
    service = await startAdministeredService({
      auth: {
        oauth: { resourceUrl: RESOURCE, providers: [provider.provider] },
        authz: { roles: { manageEntries: [{ job: 'publisher' }] } },
      },
      site: { baseUrl: SITE, signIn: { clientId: SITE_CLIENT } },
    });
    // People reach the service by another address than it listens on, as behind a proxy.
    browser = new PlainBrowser(SITE, async (request) => {
      const body = request.method === 'POST' ? await request.text() : undefined;
      return fetch(request.url.replace(SITE, service.url), {
        method: request.method,
        headers: request.headers,
        redirect: 'manual',
        ...(body === undefined ? {} : { body }),
      });
    });
    const page = await browser.visit(`${SITE}/sign-in?return=/admin/publish`);
    await browser.visit(page.url, { form: { persona: 'alice', answer: 'continue' } });
  });
  afterAll(async () => {
    await service.close();
    await provider.close();
  });

  const readCsrf = async () => {
    const { text } = await browser.ask(`${SITE}/admin/publish`);
    return /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  };

  it.each([
    ['no token', {}],
    ['a wrong token', { csrf: 'x'.repeat(43) }],
  ])('are refused with %s before a page reads them', async (_, fields) => {
    const page = await browser.ask(`${SITE}/admin/publish`, {
      form: publish('io.acme/forged', { claims: 'org=acme', ...fields }),
    });
    expect(page.status).toBe(403);
    expect(page.text).not.toContain('io.acme/forged');
  });

  it('are carried out with the token of the page', async () => {
    const csrf = await readCsrf();
    expect(csrf.length).toBeGreaterThan(20);
    const page = await browser.visit(`${SITE}/admin/publish`, {
      form: publish('io.acme/mine', { claims: 'org=acme', csrf }),
    });
    expect([page.status, page.text.includes('Published. It is live')]).toEqual([200, true]);
    const forms = [...page.text.matchAll(/<form method="post"[\s\S]*?<\/form>/g)].map(([text]) => text);
    expect(forms.length).toBeGreaterThanOrEqual(3);
    for (const form of forms) expect(form).toContain(`name="csrf" value="${csrf}"`);
  });
});
