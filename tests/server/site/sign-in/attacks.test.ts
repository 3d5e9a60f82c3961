import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignInProvider, startSignInProvider } from '../../../support/start-sign-in-provider.ts';
import { changeAnswers } from './change-answers.ts';
import type { PlainBrowser } from './plain-browser.ts';
import { bringAnswer, openBench, read, SITE, type SignInBench, signInAs } from './sign-in-bench.ts';

let provider: SignInProvider;
beforeAll(async () => {
  provider = await startSignInProvider({ personas: { alice: { org: 'acme' }, mallory: {} } });
});
afterAll(() => provider.close());

const CALLBACK = `${SITE}/sign-in/callback`;
const kindOf = async (browser: PlainBrowser): Promise<string> =>
  read(await browser.visit(`${SITE}/account`)).viewer.kind;

/** An answer of the provider that is refused, and nobody signed in by it. */
async function expectRefused(browser: PlainBrowser, url: string, code: string, status = 400): Promise<void> {
  const page = await browser.ask(url);
  expect([page.status, read(page).code]).toEqual([status, code]);
  expect(await kindOf(browser)).toBe('stranger');
}

async function withAnswer(): Promise<[SignInBench, PlainBrowser, URL]> {
  const bench = await openBench(provider);
  const browser = bench.openBrowser();
  return [bench, browser, new URL(await bringAnswer(browser, bench, 'alice'))];
}

describe('an answer of the provider is refused', () => {
  it('with another state, and the sign-in that was begun here still works', async () => {
    const [, browser, url] = await withAnswer();
    const wrong = new URL(url);
    wrong.searchParams.set('state', 'x'.repeat(43));
    await expectRefused(browser, wrong.href, 'sign_in_expired');
    wrong.searchParams.delete('state');
    await expectRefused(browser, wrong.href, 'sign_in_expired');
    expect(read(await browser.visit(url.href)).viewer.subject).toBe('alice');
  });

  it('in another browser, also one that began a sign-in of its own', async () => {
    const [bench, , url] = await withAnswer();
    const victim = bench.openBrowser();
    await expectRefused(victim, url.href, 'sign_in_expired');
    await victim.ask(`${SITE}/sign-in`);
    await expectRefused(victim, url.href, 'sign_in_expired');
  });

  it('when it is replayed with the cookie it was begun with', async () => {
    const [, browser, url] = await withAnswer();
    const begun = browser.cookies.get('berth-sign-in') ?? '';
    await browser.visit(url.href);
    browser.cookies.clear();
    await expectRefused(browser, url.href, 'sign_in_expired');
    browser.cookies.set('berth-sign-in', begun);
    await expectRefused(browser, url.href, 'sign_in_failed');
    expect(browser.cookies.has('berth-sign-in')).toBe(false);
  });

  it('with a cookie that was changed anywhere', async () => {
    const [, browser, url] = await withAnswer();
    const sealed = browser.cookies.get('berth-sign-in') ?? '';
    for (const at of [0, sealed.indexOf('..') + 3, Math.floor(sealed.length / 2), sealed.length - 2]) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      browser.cookies.set('berth-sign-in', sealed.slice(0, at) + other + sealed.slice(at + 1));
      await expectRefused(browser, url.href, 'sign_in_expired');
    }
  });

  it('with the cookie of a session in the place of that of a sign-in', async () => {
    const [bench, browser, url] = await withAnswer();
    const other = bench.openBrowser();
    await signInAs(other, bench, 'mallory');
    browser.cookies.set('berth-sign-in', other.cookies.get('berth-session') ?? '');
    await expectRefused(browser, url.href, 'sign_in_expired');
  });

  it('after ten minutes', async () => {
    const [bench, browser, url] = await withAnswer();
    bench.advance(600_001);
    await expectRefused(browser, url.href, 'sign_in_expired');
  });

  it('from another issuer (RFC 9207), or from nobody', async () => {
    const [, browser, url] = await withAnswer();
    url.searchParams.set('iss', 'https://evil.test');
    await expectRefused(browser, url.href, 'sign_in_failed');
    const [, another, without] = await withAnswer();
    without.searchParams.delete('iss');
    await expectRefused(another, without.href, 'sign_in_failed');
  });

  it('with a code of another sign-in: PKCE ties it to the browser that began', async () => {
    const [bench, browser, url] = await withAnswer();
    const victim = bench.openBrowser();
    const theirs = new URL(await bringAnswer(victim, bench, 'mallory'));
    theirs.searchParams.set('code', url.searchParams.get('code') ?? '');
    await expectRefused(victim, theirs.href, 'sign_in_failed');
    expect(await kindOf(browser)).toBe('stranger');
  });

  it('without a code, or with two', async () => {
    const [, browser, url] = await withAnswer();
    url.searchParams.append('code', 'another');
    await expectRefused(browser, url.href, 'sign_in_failed');
    const [, another, without] = await withAnswer();
    without.searchParams.delete('code');
    await expectRefused(another, without.href, 'sign_in_failed');
  });

  it('when the person says no', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    const form = await browser.visit(`${SITE}/sign-in`);
    const page = await browser.visit(form.url, { form: { answer: 'cancel' } });
    expect(page.status).toBe(403);
    expect(read(page)).toMatchObject({
      code: 'sign_in_refused',
      detail: 'The identity provider did not let you in: access_denied (the person changed their mind).',
    });
    expect(browser.cookies.size).toBe(0);
  });
});

describe('an ID token is refused', () => {
  const tamper = (change: (members: Record<string, unknown>) => void) =>
    openBench(provider, {
      fetchFor: changeAnswers('/token', (body) => {
        const [head, payload = '', signature] = String(body.id_token).split('.');
        const members = JSON.parse(Buffer.from(payload, 'base64url').toString());
        change(members);
        const changed = Buffer.from(JSON.stringify(members)).toString('base64url');
        return { ...body, id_token: [head, changed, signature].join('.') };
      }),
    });

  it.each<[string, (members: Record<string, unknown>) => void]>([
    ['of another sign-in', (members) => Object.assign(members, { nonce: 'other' })],
    ['without a nonce', (members) => delete members.nonce],
    ['of another issuer', (members) => Object.assign(members, { iss: 'https://evil.test' })],
    ['for another client', (members) => Object.assign(members, { aud: 'other' })],
    ['that has ended', (members) => Object.assign(members, { exp: 1 })],
    ['whose signature does not fit', (members) => Object.assign(members, { name: 'Root' })],
  ])('%s', async (_title, change) => {
    const bench = await tamper(change);
    const browser = bench.openBrowser();
    const page = await signInAs(browser, bench, 'alice');
    expect([page.status, read(page).code]).toEqual([400, 'sign_in_failed']);
    expect(await kindOf(browser)).toBe('stranger');
  });

  it('when it is missing although openid was asked for', async () => {
    const fetchFor = changeAnswers('/token', ({ id_token: _, ...rest }) => rest);
    const bench = await openBench(provider, { fetchFor });
    const browser = bench.openBrowser();
    expect(read(await signInAs(browser, bench, 'alice')).code).toBe('sign_in_failed');
  });
});

describe('a sign-in leads nowhere else', () => {
  it.each([
    'https://evil.test/',
    '//evil.test/',
    '/\\evil.test/',
    '\\\\evil.test',
    '/\t/evil.test',
    '/a\r\nSet-Cookie: x=y',
    'javascript:alert(1)',
    'account',
    '',
    '/sign-in?return=/',
    '/sign-out',
    `/${'x'.repeat(1000)}`,
  ])('than home, for the return path %j', async (path) => {
    const bench = await openBench(provider);
    expect((await signInAs(bench.openBrowser(), bench, 'alice', path)).url).toBe(`${SITE}/`);
  });

  it.each([
    '/./%2e/evil',
    '/.//evil.test',
    '/@evil.test',
    '/catalog/main?next=//evil.test',
    '/%5cevil.test',
  ])('than this service, for the return path %j', async (path) => {
    const bench = await openBench(provider);
    const { url } = await signInAs(bench.openBrowser(), bench, 'alice', path);
    expect(new URL(url).origin).toBe(SITE);
  });
});

describe('other methods', () => {
  it.each([
    ['POST', '/sign-in'],
    ['HEAD', '/sign-in'],
    ['POST', '/sign-in/callback'],
    ['GET', '/sign-out'],
  ])('%s %s is not for', async (method, path) => {
    const bench = await openBench(provider);
    const page = await bench.openBrowser().ask(SITE + path, { method });
    expect(page.status).toBe(405);
    expect(page.headers.get('allow')).toBe(path === '/sign-out' ? 'POST' : 'GET');
  });
});

describe('where nobody signs in', () => {
  it.each([
    ['anonymous mode', { auth: { mode: 'anonymous' } }],
    ['no site.signIn', { site: { signIn: undefined } }],
    ['no pages', { site: { enabled: false } }],
  ])('there is no sign-in: %s', async (_title, options) => {
    const bench = await openBench(provider, options);
    for (const url of [`${SITE}/sign-in`, CALLBACK]) {
      const page = await bench.openBrowser().ask(url);
      expect([page.status, read(page).code]).toEqual([404, 'sign_in_not_configured']);
    }
    const out = await bench.openBrowser().ask(`${SITE}/sign-out`, { form: {} });
    expect(read(out).code).toBe('sign_in_not_configured');
    expect(read(await bench.openBrowser().ask(`${SITE}/account`)).viewer.canSignIn).toBe(false);
  });
});
