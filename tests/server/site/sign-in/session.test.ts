import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type SignInProvider,
  startSignInProvider,
  WRONG_RESOURCES,
} from '../../../support/start-sign-in-provider.ts';
import { readSetCookie } from './read-set-cookie.ts';
import { openBench, read, SITE, signInAs } from './sign-in-bench.ts';

const noise = (bytes: number) => randomBytes(bytes).toString('base64url');
let provider: SignInProvider;
beforeAll(async () => {
  provider = await startSignInProvider({
    personas: {
      alice: { org: 'acme' },
      many: { groups: Array.from({ length: 60 }, () => noise(40)) },
      most: { groups: Array.from({ length: 100 }, () => noise(40)) },
      beyond: { groups: Array.from({ length: 400 }, () => noise(40)) },
    },
    lifetime: 600,
  });
});
afterAll(() => provider.close());

const tokenCalls = () => provider.asked.filter((one) => one === 'POST /token').length;
const look = `${SITE}/account`;

describe('a token that is about to end', () => {
  it('is replaced within its last minute, and not before', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    const first = read(await signInAs(browser, bench, 'alice'));
    const calls = tokenCalls();
    bench.advance(539_000);
    expect(read(await browser.visit(look)).authorization).toBe(first.authorization);
    expect(tokenCalls()).toBe(calls);
    bench.advance(2_000);
    const second = read(await browser.visit(look));
    expect(second.authorization).not.toBe(first.authorization);
    expect(second.viewer).toMatchObject({ kind: 'signed-in', name: 'Alice Test', csrf: first.viewer.csrf });
    expect(second.viewer.expiresAt).toBeGreaterThan(first.viewer.expiresAt);
    expect(tokenCalls()).toBe(calls + 1);
    expect(read(await browser.visit(look)).authorization).toBe(second.authorization);
    expect(tokenCalls()).toBe(calls + 1);
  });

  it('is replaced again and again, with refresh tokens that are used once', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    const seen = new Set([read(await signInAs(browser, bench, 'alice')).authorization]);
    for (let round = 0; round < 3; round++) {
      bench.advance(580_000);
      seen.add(read(await browser.visit(look)).authorization);
    }
    expect(seen.size).toBe(4);
  });

  it('is replaced once for pages that are asked for side by side, and for one that comes late', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    await signInAs(browser, bench, 'alice');
    const old = new Map(browser.cookies);
    const calls = tokenCalls();
    bench.advance(580_000);
    const pages = await Promise.all(Array.from({ length: 8 }, () => browser.ask(look)));
    const late = bench.openBrowser();
    for (const [name, value] of old) late.cookies.set(name, value);
    pages.push(await late.ask(look));
    expect(new Set(pages.map((page) => read(page).authorization)).size).toBe(1);
    expect(tokenCalls()).toBe(calls + 1);
  });

  it('stays while it is good when its refresh token is taken no more; then the session ends', async () => {
    let refuses = false;
    const bench = await openBench(provider, {
      fetchFor: () => (input, init) =>
        refuses && String(input).endsWith('/token')
          ? Promise.resolve(Response.json({ error: 'invalid_grant' }, { status: 400 }))
          : fetch(input, init),
      adapt: (runtime) => ({
        ...runtime,
        authenticator: {
          ...runtime.authenticator,
          authenticate: (header, path) =>
            ended
              ? { failure: 'invalid_token', description: 'token expired', reason: 'expired' }
              : runtime.authenticator.authenticate(header, path),
        },
      }),
    });
    let ended = false;
    const browser = bench.openBrowser();
    await signInAs(browser, bench, 'alice');
    refuses = true;
    bench.advance(580_000);
    expect(read(await browser.visit(look)).viewer.kind).toBe('signed-in');
    ended = true;
    const page = read(await browser.visit(look));
    expect(page.viewer.kind).toBe('stranger');
    expect(page.failure.reason).toBe('expired');
    expect(browser.cookies.has('berth-session')).toBe(false);
  });

  it('is replaced when the API refuses it before its time', async () => {
    const revoked = new Set<string>();
    const bench = await openBench(provider, {
      adapt: (runtime) => ({
        ...runtime,
        authenticator: {
          ...runtime.authenticator,
          authenticate: (header, path) =>
            revoked.has(header ?? '')
              ? { failure: 'invalid_token', description: 'the token is not active', reason: 'inactive' }
              : runtime.authenticator.authenticate(header, path),
        },
      }),
    });
    const browser = bench.openBrowser();
    const { authorization } = read(await signInAs(browser, bench, 'alice'));
    revoked.add(authorization);
    const page = read(await browser.visit(look));
    expect(page.viewer.kind).toBe('signed-in');
    expect(page.authorization).not.toBe(authorization);
  });
});

describe('a session', () => {
  it('waits for a provider that is down, and goes on when it is back', async () => {
    let down = false;
    const bench = await openBench(provider, {
      fetchFor: () => (input, init) =>
        down ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init),
      adapt: (runtime) => ({
        ...runtime,
        authenticator: {
          ...runtime.authenticator,
          authenticate: (header, path) =>
            down
              ? { failure: 'invalid_token', description: 'not now', reason: 'provider_unavailable' }
              : runtime.authenticator.authenticate(header, path),
        },
      }),
    });
    const browser = bench.openBrowser();
    await signInAs(browser, bench, 'alice');
    down = true;
    bench.advance(580_000);
    expect(read(await browser.visit(look)).viewer.kind).toBe('stranger');
    expect(browser.cookies.has('berth-session')).toBe(true);
    down = false;
    bench.advance(5_001);
    expect(read(await browser.visit(look)).viewer.kind).toBe('signed-in');
  });

  it('ends with a token that is not accepted, and its cookies are cleared', async () => {
    let isWithdrawn = false;
    const bench = await openBench(provider, {
      adapt: (runtime) => ({
        ...runtime,
        authenticator: {
          ...runtime.authenticator,
          authenticate: (header, path) =>
            isWithdrawn && header !== undefined
              ? { failure: 'invalid_token', description: 'no', reason: 'signature' }
              : runtime.authenticator.authenticate(header, path),
        },
      }),
    });
    const browser = bench.openBrowser();
    await signInAs(browser, bench, 'alice');
    isWithdrawn = true;
    const page = read(await browser.visit(look));
    expect(page.viewer).toMatchObject({ kind: 'stranger', claims: {}, csrf: '' });
    expect([page.identity, page.authorization]).toEqual([undefined, undefined]);
    expect(browser.cookies.size).toBe(0);
  });

  it('ends after a week', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    await signInAs(browser, bench, 'alice');
    bench.advance(7 * 24 * 3_600_000);
    expect(read(await browser.visit(look)).viewer.kind).toBe('stranger');
    expect(browser.cookies.size).toBe(0);
  });

  it('of another key, or that was changed, is none', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    await signInAs(browser, bench, 'alice');
    const sealed = browser.cookies.get('berth-session') ?? '';
    const stranger = (await openBench(provider)).openBrowser();
    stranger.cookies.set('berth-session', sealed);
    expect(read(await stranger.visit(look)).viewer.kind).toBe('stranger');
    expect(stranger.cookies.size).toBe(0);
    browser.cookies.set('berth-session', `${sealed.slice(0, -6)}AAAAAA`);
    expect(read(await browser.visit(look)).viewer.kind).toBe('stranger');
    expect(browser.cookies.size).toBe(0);
  });

  it('of another client is none: what one was given is not shown to another', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    await signInAs(browser, bench, 'alice');
    const other = await openBench(provider, {
      dataDir: bench.dataDir,
      signIn: { clientId: 'berth-site-basic' },
    });
    const moved = other.openBrowser();
    for (const [name, value] of browser.cookies) moved.cookies.set(name, value);
    expect(read(await moved.visit(look)).viewer.kind).toBe('stranger');
  });

  it('is cut into cookies where its tokens are long, and put together again', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    expect(read(await signInAs(browser, bench, 'many')).viewer.claims.groups).toHaveLength(60);
    const names = [...browser.cookies.keys()];
    expect(names).toEqual(['berth-session', 'berth-session.1', 'berth-session.2'].slice(0, names.length));
    expect(names.length).toBeGreaterThan(1);
    for (const line of browser.received) expect(line.length).toBeLessThan(4096);

    // A smaller session takes the place of a larger one, and leaves nothing of it.
    browser.jar.delete(provider.url);
    await signInAs(browser, bench, 'alice');
    expect([...browser.cookies.keys()]).toEqual(['berth-session']);
    expect(read(await browser.visit(look)).viewer.subject).toBe('alice');
  });

  it('with a chunk missing is none, and the rest is cleared', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    await signInAs(browser, bench, 'many');
    browser.cookies.delete('berth-session.1');
    expect(read(await browser.visit(look)).viewer.kind).toBe('stranger');
    expect(browser.cookies.size).toBe(0);
  });

  it('does without the ID token where there is no room: the sign-out then names the client alone', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    const { viewer } = read(await signInAs(browser, bench, 'most'));
    expect(viewer.subject).toBe('most');
    expect([...browser.cookies.keys()]).toEqual(['berth-session', 'berth-session.1', 'berth-session.2']);
    expect(read(await browser.visit(look)).viewer.name).toBe('Most Test');
    const page = await browser.ask(`${SITE}/sign-out`, { form: { csrf: viewer.csrf } });
    expect(page.headers.get('refresh')).toContain('client_id=');
    expect(page.headers.get('refresh')).not.toContain('id_token_hint');
    expect(browser.cookies.size).toBe(0);
  });

  it('cannot be begun with a token that no browser can keep', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    const page = await signInAs(browser, bench, 'beyond');
    expect(page.status).toBe(403);
    // Such a token is too long for an Authorization header too.
    expect(read(page).code).toBe('sign_in_refused');
    expect(browser.cookies.size).toBe(0);
  });
});

describe('a token this registry does not take', () => {
  it.each([
    [
      WRONG_RESOURCES.foreign,
      'the token is meant for another audience. An administrator can ask for one of this registry with site.signIn.resource or site.signIn.scope.',
    ],
    [
      WRONG_RESOURCES.opaque,
      'the token is not a JWT, and no introspection is set up. An administrator can ask for another one with site.signIn.resource or site.signIn.scope.',
    ],
    [
      'none',
      'the token is not a JWT, and no introspection is set up. An administrator can ask for another one with site.signIn.resource or site.signIn.scope.',
    ],
  ])('is said in words: resource %s', async (resource, why) => {
    const bench = await openBench(provider, { signIn: { resource } });
    const browser = bench.openBrowser();
    const page = await signInAs(browser, bench, 'alice');
    expect(page.status).toBe(403);
    expect(read(page)).toMatchObject({
      code: 'sign_in_refused',
      detail: `The identity provider let you in, but this registry does not accept the access token it gave: ${why}`,
    });
    expect(browser.cookies.size).toBe(0);
  });
});

describe('without a session', () => {
  it('a token in the header counts as for the API, and needs no cookie', async () => {
    const bench = await openBench(provider);
    const { authorization } = read(await signInAs(bench.openBrowser(), bench, 'alice'));
    const page = await bench.openBrowser().ask(look, { headers: { Authorization: authorization } });
    expect(read(page)).toMatchObject({
      viewer: { kind: 'signed-in', name: 'alice', csrf: '' },
      authorization,
    });
    expect(page.headers.getSetCookie()).toEqual([]);
    const wrong = await bench.openBrowser().ask(look, { headers: { Authorization: `${authorization}x` } });
    expect(read(wrong)).toMatchObject({ viewer: { kind: 'stranger' }, failure: { reason: 'signature' } });
  });

  it('a token in the header wins over the session', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    await signInAs(browser, bench, 'alice');
    const page = await browser.ask(look, { headers: { Authorization: 'Bearer nonsense' } });
    expect(read(page).viewer.kind).toBe('stranger');
    expect(browser.cookies.has('berth-session')).toBe(true);
  });

  it('everybody is open in anonymous mode, whatever they bring', async () => {
    const bench = await openBench(provider, { auth: { mode: 'anonymous' } });
    const page = read(await bench.openBrowser().ask(look, { headers: { Authorization: 'Bearer x' } }));
    expect(page.viewer).toMatchObject({ kind: 'open', unrestricted: true, canSignIn: false });
    expect(page.authorization).toBeUndefined();
  });

  it('a stranger on a public path has the identity of a passer-by, elsewhere none', async () => {
    const open = await openBench(provider, { auth: { publicPaths: ['/registry'] } });
    const page = read(await open.openBrowser().ask(look));
    expect(page).toMatchObject({ viewer: { kind: 'stranger', roles: [] }, identity: { anonymous: true } });
    const closed = read(await (await openBench(provider)).openBrowser().ask(look));
    expect(closed.identity).toBeUndefined();
    expect(closed.failure.reason).toBe('missing');
  });

  it('cookies are marked once, when they are set', async () => {
    const bench = await openBench(provider);
    const browser = bench.openBrowser();
    await signInAs(browser, bench, 'alice');
    const before = browser.received.length;
    await browser.visit(look);
    expect(browser.received.slice(before).map(readSetCookie)).toEqual([]);
  });
});
