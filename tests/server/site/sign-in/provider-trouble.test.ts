import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  SECRET_CLIENTS,
  type SignInProvider,
  startSignInProvider,
} from '../../../support/start-sign-in-provider.ts';
import { makeDirectory } from '../../../support/temporary-directory.ts';
import { changeAnswers } from './change-answers.ts';
import { bringAnswer, openBench, read, SITE, signInAs } from './sign-in-bench.ts';

let provider: SignInProvider;
beforeAll(async () => {
  provider = await startSignInProvider({ personas: { alice: { org: 'acme' } } });
});
afterAll(() => provider.close());

type Change = Parameters<typeof changeAnswers>[1];
const withMetadata = (change: Change) =>
  openBench(provider, { fetchFor: changeAnswers('/openid-configuration', change) });
const begin = async (bench: Awaited<ReturnType<typeof openBench>>) => {
  const page = await bench.openBrowser().ask(`${SITE}/sign-in`);
  return [page.status, read(page).code, read(page).detail];
};

describe('a sign-in is put off, and says so', () => {
  it('when the provider is down, and works again when it is back', async () => {
    const gone = await startSignInProvider({ personas: {} });
    await gone.close();
    const bench = await openBench(gone);
    expect(await begin(bench)).toEqual([
      503,
      'sign_in_unavailable',
      'The identity provider cannot be reached at the moment.',
    ]);
    let down = true;
    const back = await openBench(provider, {
      fetchFor: () => (input, init) =>
        down ? Promise.resolve(new Response('bad gateway', { status: 502 })) : fetch(input, init),
    });
    expect(await begin(back)).toEqual([
      503,
      'sign_in_unavailable',
      'The identity provider gives no proper answer at the moment.',
    ]);
    down = false;
    expect(read(await signInAs(back.openBrowser(), back, 'alice')).viewer.subject).toBe('alice');
  });

  it('when it goes down in between: the answer can be brought again by beginning again', async () => {
    let down = false;
    const bench = await openBench(provider, {
      fetchFor: () => (input, init) =>
        down ? Promise.resolve(new Response('{}', { status: 500 })) : fetch(input, init),
    });
    const browser = bench.openBrowser();
    const url = await bringAnswer(browser, bench, 'alice');
    down = true;
    const page = await browser.ask(url);
    expect([page.status, read(page).code]).toEqual([503, 'sign_in_unavailable']);
    expect(bench.audited.at(-1)).toMatchObject({ type: 'auth.sign_in', outcome: 'error' });
    down = false;
    expect(read(await browser.visit(`${SITE}/sign-in?return=/account`)).viewer.subject).toBe('alice');
  });

  it.each<[string, Change]>([
    ['another issuer', (document) => ({ ...document, issuer: `${document.issuer}/` })],
    ['no endpoint to sign in at', ({ authorization_endpoint: _, ...rest }) => rest],
    ['no endpoint for tokens', ({ token_endpoint: _, ...rest }) => rest],
    ['no PKCE with S256', (document) => ({ ...document, code_challenge_methods_supported: ['plain'] })],
    ['http', (document) => ({ ...document, authorization_endpoint: 'http://id.test/auth' })],
    ['a script', (document) => ({ ...document, authorization_endpoint: 'javascript:alert(1)' })],
    ['a sign-out over http', (document) => ({ ...document, end_session_endpoint: 'http://id.test/out' })],
  ])('when its metadata names %s', async (_title, change) => {
    const bench = await withMetadata(change);
    const [status, code] = await begin(bench);
    expect([status, code]).toEqual([503, 'sign_in_unavailable']);
    expect(bench.log).toHaveLength(1);
    expect(bench.log[0]?.level).toBe('warn');
  });

  it('when the client or its secret is not the one that is registered', async () => {
    const dataDir = makeDirectory();
    writeFileSync(join(dataDir, 'secret'), 'wrong');
    const clientId = SECRET_CLIENTS.basic;
    const signIn = { clientId, clientSecretFile: 'secret' };
    const bench = await openBench(provider, { dataDir, signIn });
    const page = await signInAs(bench.openBrowser(), bench, 'alice');
    expect([page.status, read(page).code]).toEqual([503, 'sign_in_unavailable']);
    expect(JSON.stringify(bench.log)).not.toContain('wrong');
  });

  it('when the secret cannot be read, without telling where it is', async () => {
    const signIn = { clientId: SECRET_CLIENTS.basic, clientSecretFile: 'nowhere' };
    const bench = await openBench(provider, { signIn });
    const page = await signInAs(bench.openBrowser(), bench, 'alice');
    expect([page.status, read(page).code]).toEqual([503, 'sign_in_unavailable']);
    expect(page.text).not.toContain('nowhere');
    expect(JSON.stringify(bench.log)).toContain('nowhere');
  });

  it('when private addresses are not allowed for the provider', async () => {
    const bench = await openBench({ ...provider, provider: { ...provider.provider, allowPrivateIP: false } });
    expect(await begin(bench)).toEqual([
      503,
      'sign_in_unavailable',
      'The sign-in is not set up correctly: the log of the service says why.',
    ]);
    expect(JSON.stringify(bench.log)).toContain('not public');
  });
});

describe('an error that a browser brings', () => {
  it('is told in plain characters, and at no great length', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    const state = new URL(
      (await browser.ask(`${SITE}/sign-in`)).headers.get('location') ?? '',
    ).searchParams.get('state');
    const parameters = new URLSearchParams({
      state: state ?? '',
      iss: provider.url,
      error: 'invalid_scope',
      error_description: `\u202e<b>${'long '.repeat(200)}`,
    });
    const page = await browser.ask(`${SITE}/sign-in/callback?${parameters}`);
    const { code, detail } = read(page);
    expect([page.status, code]).toEqual([400, 'sign_in_failed']);
    expect(detail).toMatch(/^The identity provider refused the sign-in: invalid_scope \(\?<b>long /);
    expect(detail.length).toBeLessThan(400);
  });
});
