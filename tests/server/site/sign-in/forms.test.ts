import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkForm } from '../../../../server/site/sign-in/check-form.ts';
import {
  SITE_CLIENT,
  type SignInProvider,
  startSignInProvider,
} from '../../../support/start-sign-in-provider.ts';
import { changeAnswers } from './change-answers.ts';
import { openBench, read, SITE, signInAs } from './sign-in-bench.ts';

let provider: SignInProvider;
beforeAll(async () => {
  provider = await startSignInProvider({ personas: { alice: { org: 'acme' }, bob: {} } });
});
afterAll(() => provider.close());

const post = (headers: Readonly<Record<string, string>> = {}) =>
  new Request(`${SITE}/admin`, { method: 'POST', headers });
const form = (csrf?: string) => new URLSearchParams(csrf === undefined ? {} : { csrf });
const CSRF = 'c'.repeat(43);

describe('a posted form', () => {
  it.each([
    ['from a page of this site', {}],
    ['as browsers send it', { 'Sec-Fetch-Site': 'same-origin', Origin: SITE }],
    ['from a page that does not tell where it was', { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }],
    ['without Sec-Fetch-Site, from here', { Origin: SITE }],
    ['without Sec-Fetch-Site, from a page that does not tell', { Origin: 'null' }],
  ])('is taken %s', (_title, headers) => {
    expect(checkForm(post(headers), form(CSRF), { csrf: CSRF }, SITE)).toBeUndefined();
  });

  it('is taken at the address people use, behind a proxy that uses another', () => {
    const check = () =>
      checkForm(
        post({ Origin: 'https://registry.test' }),
        form(CSRF),
        { csrf: CSRF },
        'https://registry.test',
      );
    expect(check()).toBeUndefined();
  });

  it('needs no field when the caller proves itself by a header', () => {
    expect(checkForm(post({ Authorization: 'Bearer x' }), form(), { csrf: '' }, SITE)).toBeUndefined();
  });

  it.each([
    ['without the field', {}, undefined],
    ['with an empty one', {}, ''],
    ['with another one', {}, `${CSRF.slice(1)}d`],
    ['with a longer one', {}, `${CSRF}c`],
    ['from another site', { 'Sec-Fetch-Site': 'cross-site' }, CSRF],
    ['from another host of the domain', { 'Sec-Fetch-Site': 'same-site' }, CSRF],
    ['from another origin', { Origin: 'https://evil.test' }, CSRF],
    ['from another port', { Origin: 'http://127.0.0.1:1' }, CSRF],
  ])('is refused %s', (_title, headers, csrf) => {
    expect(() => checkForm(post(headers), form(csrf), { csrf: CSRF }, SITE)).toThrow(
      expect.objectContaining({ status: 403, code: 'csrf_refused' }),
    );
  });

  it('is refused for whoever has no session, also with an empty field', () => {
    expect(() => checkForm(post(), form(''), { csrf: '' }, SITE)).toThrow(
      expect.objectContaining({ code: 'csrf_refused' }),
    );
  });

  it('is taken with the field of this session, and refused with that of another', async () => {
    const bench = await openBench(provider);
    const [one, two] = [bench.openBrowser(), bench.openBrowser()];
    const first = read(await signInAs(one, bench, 'alice')).viewer.csrf;
    const second = read(await signInAs(two, bench, 'alice')).viewer.csrf;
    expect(first).not.toBe(second);
    expect((await one.ask(`${SITE}/admin`, { form: { csrf: first } })).status).toBe(200);
    expect(read(await one.ask(`${SITE}/admin`, { form: { csrf: second } })).code).toBe('csrf_refused');
  });

  it('has to be a form', async () => {
    const bench = await openBench(provider);
    const page = await bench.openBrowser().ask(`${SITE}/admin`, { method: 'POST' });
    expect([page.status, read(page).code]).toEqual([415, 'form_expected']);
  });
});

describe('signing out', () => {
  it('clears the session, revokes its refresh token, and goes on to the sign-out of the provider', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    const { csrf } = read(await signInAs(browser, bench, 'alice')).viewer;
    const asked = provider.asked.length;
    const page = await browser.ask(`${SITE}/sign-out`, { form: { csrf } });
    expect(page.status).toBe(200);
    expect(browser.cookies.size).toBe(0);
    expect(provider.asked.slice(asked)).toContain('POST /token/revocation');

    const [delay, target = ''] = (page.headers.get('refresh') ?? '').split(';url=');
    expect(delay).toBe('0');
    const { origin, pathname, searchParams } = new URL(target);
    expect(origin + pathname).toBe(`${provider.url}/session/end`);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: SITE_CLIENT,
      post_logout_redirect_uri: `${SITE}/`,
      id_token_hint: expect.stringMatching(/^ey/),
    });
    const question = await browser.visit(target);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(question.text)?.[1] ?? '';
    const home = await browser.visit(`${provider.url}/session/end/confirm`, {
      form: { xsrf, logout: 'yes' },
    });
    expect(home.url).toBe(`${SITE}/`);
    expect(read(home).viewer.kind).toBe('stranger');
    // The provider asks again who it is.
    expect((await browser.visit(`${SITE}/sign-in`)).text).toContain('name="persona"');
    expect(bench.audited.map(({ type, outcome, subject }) => [type, outcome, subject])).toEqual([
      ['auth.sign_in', 'success', 'alice'],
      ['auth.sign_out', 'success', 'alice'],
    ]);
  });

  it('is refused without the field of the session, which goes on', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    await signInAs(browser, bench, 'alice');
    const page = await browser.ask(`${SITE}/sign-out`, { form: { csrf: 'x' } });
    expect([page.status, read(page).code]).toEqual([403, 'csrf_refused']);
    expect(read(await browser.visit(`${SITE}/account`)).viewer.kind).toBe('signed-in');
    expect(bench.audited.at(-1)).toMatchObject({ type: 'auth.sign_out', outcome: 'denied' });
  });

  it('leads home whoever is not signed in', async () => {
    const bench = await openBench(provider);
    const page = await bench.openBrowser().ask(`${SITE}/sign-out`, { form: {} });
    expect([page.status, page.headers.get('location')]).toEqual([303, `${SITE}/`]);
  });

  it('works while the provider is down, and where it has no sign-out', async () => {
    let mode: 'up' | 'down' | 'plain' = 'up';
    const plain = changeAnswers(
      '/openid-configuration',
      ({ end_session_endpoint: _, revocation_endpoint: __, ...rest }) => rest,
    );
    const bench = await openBench(provider, {
      fetchFor: (settings) => (input, init) => {
        if (mode === 'down') return Promise.reject(new TypeError('fetch failed'));
        return mode === 'up' ? fetch(input, init) : plain(settings)(input, init);
      },
    });
    for (const next of ['down', 'plain'] as const) {
      mode = 'up';
      const browser = bench.openBrowser();
      const { csrf } = read(await signInAs(browser, bench, 'bob')).viewer;
      bench.advance(3_600_000 * 2);
      mode = next;
      const page = await browser.ask(`${SITE}/sign-out`, { form: { csrf } });
      expect([page.status, page.headers.get('location')]).toEqual([303, `${SITE}/`]);
      expect(browser.cookies.size).toBe(0);
    }
    expect(bench.log.map(({ message }) => message)).toEqual(['a refresh token could not be revoked']);
  });
});
