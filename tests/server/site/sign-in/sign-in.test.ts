import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  SECRET_CLIENTS,
  SITE_SECRET,
  type SignInProvider,
  startSignInProvider,
  WRONG_RESOURCES,
} from '../../../support/start-sign-in-provider.ts';
import { makeDirectory } from '../../../support/temporary-directory.ts';
import { changeAnswers } from './change-answers.ts';
import { readSetCookie } from './read-set-cookie.ts';
import { openBench, RESOURCE, read, SITE, signInAs } from './sign-in-bench.ts';

let provider: SignInProvider;
beforeAll(async () => {
  provider = await startSignInProvider({
    personas: { alice: { org: 'acme', team: ['platform', 'data'] }, bob: { org: 'other' } },
    sites: ['https://registry.test'],
  });
});
afterAll(() => provider.close());

describe('signing in', () => {
  it('shows who it is, with what the access token says, and leads back to where it began', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    expect(read(await browser.visit(`${SITE}/account`)).viewer).toMatchObject({
      kind: 'stranger',
      name: '',
      csrf: '',
      canSignIn: true,
      unrestricted: false,
      roles: [],
    });
    const page = await signInAs(browser, bench, 'alice', '/catalog/main?q=a%20b');
    expect(page.url).toBe(`${SITE}/catalog/main?q=a%20b`);
    const { viewer, authorization, failure } = read(page);
    expect(viewer).toMatchObject({
      kind: 'signed-in',
      name: 'Alice Test',
      subject: 'alice',
      roles: ['manageEntries'],
      unrestricted: false,
      canSignIn: true,
    });
    expect(viewer.claims).toMatchObject({ org: ['acme'], team: ['data', 'platform'], sub: ['alice'] });
    expect(viewer.csrf).toMatch(/^[\w-]{43}$/);
    expect(viewer.expiresAt - Date.now()).toBeGreaterThan(3_500_000);
    expect(authorization).toMatch(/^Bearer ey/);
    expect(failure).toBeUndefined();
    expect(browser.cookies.has('berth-sign-in')).toBe(false);
  });

  it('asks with code, PKCE, state, nonce and the resource of the registry', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    const first = await browser.ask(`${SITE}/sign-in?return=/account`);
    expect(first.status).toBe(303);
    expect(first.headers.get('cache-control')).toBe('no-store');
    const asked = new URL(first.headers.get('location') ?? '');
    expect(asked.origin + asked.pathname).toBe(`${provider.url}/auth`);
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(asked.searchParams);
    expect(rest).toEqual({
      response_type: 'code',
      client_id: 'berth-site',
      redirect_uri: `${SITE}/sign-in/callback`,
      scope: 'openid profile',
      code_challenge_method: 'S256',
      resource: RESOURCE,
    });
    const again = new URL((await browser.ask(`${SITE}/sign-in`)).headers.get('location') ?? '');
    for (const [name, value] of Object.entries({ state, nonce, code_challenge })) {
      expect(value?.length).toBeGreaterThan(40);
      expect(again.searchParams.get(name)).not.toBe(value);
    }
  });

  it.each([
    ['basic', SECRET_CLIENTS.basic],
    ['post', SECRET_CLIENTS.post],
  ])('proves itself with its secret: %s', async (_how, clientId) => {
    const dataDir = makeDirectory();
    writeFileSync(join(dataDir, 'secret'), `${SITE_SECRET}\n`);
    const bench = await openBench(only(provider, clientId), {
      dataDir,
      signIn: { clientId, clientSecretFile: 'secret' },
      fetchFor: forMethod(clientId),
    });
    expect(read(await signInAs(bench.openBrowser(), bench, 'bob')).viewer.subject).toBe('bob');
  });

  it('uses client and secret of the provider when it has none of its own', async () => {
    const dataDir = makeDirectory();
    writeFileSync(join(dataDir, 'secret'), SITE_SECRET);
    const clientId = SECRET_CLIENTS.basic;
    const bench = await openBench(only(provider, clientId, { clientSecretFile: 'secret' }), {
      dataDir,
      signIn: { clientId: undefined },
    });
    expect(read(await signInAs(bench.openBrowser(), bench, 'bob')).viewer.subject).toBe('bob');
  });

  it('keeps people apart: each browser is who signed in with it', async () => {
    const bench = await openBench(provider);
    const [one, two] = [bench.openBrowser(), bench.openBrowser()];
    await signInAs(one, bench, 'alice');
    await signInAs(two, bench, 'bob');
    expect(read(await one.visit(`${SITE}/account`)).viewer.subject).toBe('alice');
    const { viewer } = read(await two.visit(`${SITE}/account`));
    expect(viewer).toMatchObject({ subject: 'bob', name: 'Bob Test', roles: [] });
    expect(viewer.claims.org).toEqual(['other']);
  });

  it('outlives a restart, by the key in the data directory', async () => {
    const before = await openBench(provider);
    const browser = before.openBrowser();
    await signInAs(browser, before, 'alice');
    const after = await openBench(provider, { dataDir: before.dataDir });
    const same = after.openBrowser();
    for (const [name, value] of browser.cookies) same.cookies.set(name, value);
    expect(read(await same.visit(`${SITE}/account`)).viewer.subject).toBe('alice');
  });

  it('writes down who signed in, and that somebody could not', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    await signInAs(browser, bench, 'alice');
    await browser.ask(`${SITE}/sign-in/callback?code=x&state=y`);
    expect(bench.audited.map(({ type, outcome, subject, path }) => [type, outcome, subject, path])).toEqual([
      ['auth.sign_in', 'success', 'alice', '/sign-in/callback'],
      ['auth.sign_in', 'failure', undefined, '/sign-in/callback'],
    ]);
  });

  it('logs nothing of tokens, codes and states', async () => {
    const bench = await openBench(provider, { signIn: { resource: WRONG_RESOURCES.foreign } });
    const browser = bench.openBrowser();
    await signInAs(browser, bench, 'alice');
    const text = JSON.stringify(bench.log);
    expect(bench.log.length).toBeGreaterThan(0);
    expect(text).not.toMatch(/ey[JA-Z]|code=|state=/);
  });
});

describe('cookies', () => {
  it('over https are secure, of this host only, and unseen by scripts', async () => {
    const bench = await openBench(provider, { site: { baseUrl: 'https://registry.test/' } });
    const browser = bench.openBrowser();
    const page = await signInAs(browser, bench, 'alice');
    expect(page.url).toBe('https://registry.test/account');
    const cookies = browser.received.map(readSetCookie);
    expect(cookies.map(({ name }) => name)).toEqual([
      '__Host-berth-sign-in',
      '__Host-berth-session',
      '__Host-berth-sign-in',
    ]);
    for (const { attributes } of cookies) {
      expect(Object.fromEntries(attributes)).toMatchObject({
        path: '/',
        httponly: '',
        samesite: 'Lax',
        secure: '',
      });
      expect(attributes.has('domain')).toBe(false);
    }
    expect(cookies.map(({ attributes }) => attributes.get('max-age'))).toEqual(['600', undefined, '0']);
  });

  it('over http are what http allows', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    await signInAs(browser, bench, 'alice');
    const cookies = browser.received.map(readSetCookie);
    expect(cookies.map(({ name }) => name)).toEqual(['berth-sign-in', 'berth-session', 'berth-sign-in']);
    for (const { attributes } of cookies) {
      expect(Object.fromEntries(attributes)).toMatchObject({ path: '/', httponly: '', samesite: 'Lax' });
      expect(attributes.has('secure')).toBe(false);
    }
  });

  it('hold nothing that can be read', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    const { authorization } = read(await signInAs(browser, bench, 'alice'));
    const token = authorization.slice('Bearer '.length);
    for (const value of browser.cookies.values()) {
      expect(
        value
          .split('.')
          .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
          .join(' '),
      ).not.toContain('alice');
      expect(value).not.toContain(token.split('.')[1]);
    }
  });
});

/** The provider with a client in its block. */
function only(
  one: SignInProvider,
  clientId: string,
  more: Readonly<Record<string, unknown>> = {},
): SignInProvider {
  return { ...one, provider: { ...one.provider, clientId, ...more } };
}

/** The provider says it takes everything; here it takes what the client is registered for. */
const forMethod = (clientId: string) =>
  changeAnswers('/openid-configuration', (document) => {
    const taken = clientId === SECRET_CLIENTS.post ? 'client_secret_post' : 'client_secret_basic';
    return { ...document, token_endpoint_auth_methods_supported: [taken] };
  });
