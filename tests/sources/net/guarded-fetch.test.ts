import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAddressAllowed, type ResolveHost } from '../../../sources/net/address-guard.ts';
import { followRedirect } from '../../../sources/net/follow-redirect.ts';
import { createGuardedFetch } from '../../../sources/net/guarded-fetch.ts';
import { startServer } from './loopback-server.ts';

const resolveTo =
  (...answers: string[]): ResolveHost =>
  (_host, _options, done) =>
    done(
      null,
      answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

const hop = (url: string, method = 'GET') => ({
  url: new URL(url),
  method,
  headers: new Headers({ authorization: 'Bearer secret', cookie: 'a=b', accept: 'application/json' }),
  body: undefined,
});

describe('guarded fetch: addresses', () => {
  it.each([
    'http://127.0.0.1',
    'http://2130706433',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:a00:1]',
    'http://10.1.2.3',
    'http://172.16.0.1',
    'http://192.168.1.1',
    'http://169.254.169.254',
    'http://100.64.0.1',
    'http://0.0.0.0',
    'http://[fd00::1]',
    'http://[fe80::1]',
    'http://[2002:7f00:1::]',
    'http://[64:ff9b::7f00:1]',
    'http://224.0.0.1',
  ])('refuses the literal %s', async (url) => {
    await expect(createGuardedFetch({ allowPrivate: false })(url)).rejects.toMatchObject({
      code: 'net_private_address',
    });
  });

  it('refuses a name that resolves to private addresses and does not name the address', async () => {
    const guarded = createGuardedFetch({ allowPrivate: false, resolve: resolveTo('10.9.8.7', '::1') });
    const error = await guarded('http://catalog.example').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'net_private_address' });
    expect(String(error)).toContain('catalog.example');
    expect(String(error)).not.toContain('10.9.8.7');
  });

  it('checks the address at each connection, so that a name which changes its address gains nothing', async () => {
    const { port } = await startServer((_request, response) => {
      response.setHeader('connection', 'close');
      response.end('reached');
    });
    const addresses: string[] = [];
    const rebinding: ResolveHost = (host, options, done) => {
      addresses.push(host);
      resolveTo(addresses.length === 1 ? '127.0.0.1' : '10.0.0.1')(host, options, done);
    };
    const guarded = createGuardedFetch({ allowPrivate: false, allowLoopbackHttp: true, resolve: rebinding });
    expect(await (await guarded(`http://idp.example:${port}/`)).text()).toBe('reached');
    await expect(guarded(`http://idp.example:${port}/`)).rejects.toMatchObject({
      code: 'net_private_address',
    });
  });

  it('lets everything through with allowPrivate', async () => {
    const { url } = await startServer((request, response) => response.end(request.url));
    const response = await createGuardedFetch({ allowPrivate: true })(`${url}/path`);
    expect(await response.text()).toBe('/path');
    expect(response.url).toBe(`${url}/path`);
  });

  it('lets http to loopback through with allowLoopbackHttp, but no other private address', async () => {
    const { url } = await startServer((_request, response) => response.end('yes'));
    const guarded = createGuardedFetch({ allowPrivate: false, allowLoopbackHttp: true });
    expect(await (await guarded(url)).text()).toBe('yes');
    await expect(guarded('http://10.0.0.1')).rejects.toMatchObject({ code: 'net_private_address' });
    await expect(guarded(url.replace('http:', 'https:'))).rejects.toMatchObject({
      code: 'net_private_address',
    });
  });

  it('does not let another host redirect to loopback', async () => {
    const inner = await startServer((_request, response) => response.end('inner'));
    const outer = await startServer((_request, response) => {
      response.writeHead(302, { location: inner.url }).end();
    });
    const guarded = createGuardedFetch({
      allowPrivate: false,
      allowLoopbackHttp: true,
      resolve: resolveTo('127.0.0.1'),
    });
    await expect(guarded(`http://idp.example:${outer.port}/`)).rejects.toMatchObject({
      code: 'net_private_address',
    });
  });

  it('holds no IPv4 address of the private blocks for public, in any spelling', () => {
    fc.assert(
      fc.property(fc.constantFrom(10, 127), fc.nat(255), fc.nat(255), fc.nat(255), (a, b, c, d) => {
        const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
        for (const text of [`${a}.${b}.${c}.${d}`, String(number), `0x${number.toString(16)}`]) {
          expect(isAddressAllowed(new URL(`http://${text}`).hostname, 'public')).toBe(false);
        }
        expect(isAddressAllowed(`::ffff:${a}.${b}.${c}.${d}`, 'public')).toBe(false);
      }),
    );
    expect(isAddressAllowed('93.184.216.34', 'public')).toBe(true);
  });
});

describe('guarded fetch: redirects', () => {
  it('follows five and refuses the sixth', async () => {
    const { url } = await startServer((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('done');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const guarded = createGuardedFetch({ allowPrivate: true });
    const response = await guarded(`${url}/5`);
    expect(await response.text()).toBe('done');
    expect(response.redirected).toBe(true);
    await expect(guarded(`${url}/6`)).rejects.toMatchObject({ code: 'net_redirect' });
  });

  it('drops credentials for another origin and keeps them for the same one', async () => {
    const seen: (string | undefined)[] = [];
    const other = await startServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('ok');
    });
    const first = await startServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(307, { location: request.url === '/a' ? '/b' : other.url }).end();
    });
    await createGuardedFetch({ allowPrivate: true })(`${first.url}/a`, {
      headers: { authorization: 'Bearer t' },
    });
    expect(seen).toEqual(['Bearer t', 'Bearer t', undefined]);
    expect(
      followRedirect(hop('https://a.example'), 302, 'https://b.example').headers.get('cookie'),
    ).toBeNull();
  });

  it('sends the body again after 307 and turns a POST into a GET after 303', async () => {
    const seen: string[] = [];
    const { url } = await startServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      seen.push(`${request.method} ${body} ${request.headers['content-type'] ?? '-'}`);
      if (request.url === '/a') response.writeHead(307, { location: '/b' }).end();
      else if (request.url === '/b') response.writeHead(303, { location: '/c' }).end();
      else response.end();
    });
    await createGuardedFetch({ allowPrivate: true })(`${url}/a`, {
      method: 'POST',
      body: new URLSearchParams({ k: 'v' }),
    });
    const form = 'application/x-www-form-urlencoded;charset=UTF-8';
    expect(seen).toEqual([`POST k=v ${form}`, `POST k=v ${form}`, 'GET  -']);
  });

  it.each([
    'http://a.example/',
    'file:///etc/passwd',
    'https://user:pw@a.example/',
    'https://',
  ])('refuses a redirect from https to %s', (location) => {
    expect(() => followRedirect(hop('https://a.example'), 302, location)).toThrow(
      expect.objectContaining({ code: 'net_redirect' }),
    );
  });
});

describe('guarded fetch: bounds and failures', () => {
  it('refuses a declared and a streamed body that is too large, compressed or not', async () => {
    const { url } = await startServer((request, response) => {
      if (request.url === '/declared') response.end('x'.repeat(2000));
      else if (request.url === '/zip') {
        response.setHeader('content-encoding', 'gzip');
        response.end(gzipSync('x'.repeat(100_000)));
      } else {
        response.write('x'.repeat(800));
        response.end('x'.repeat(800));
      }
    });
    const guarded = createGuardedFetch({ allowPrivate: true, maxBytes: 1000 });
    await expect(guarded(`${url}/declared`)).rejects.toMatchObject({ code: 'net_too_large' });
    for (const path of ['/streamed', '/zip']) {
      const response = await guarded(`${url}${path}`);
      await expect(response.text()).rejects.toMatchObject({ code: 'net_too_large' });
    }
  });

  it('times out while waiting for headers and in the middle of a body', async () => {
    const { url } = await startServer((request, response) => {
      if (request.url === '/body') response.write('start');
    });
    const guarded = createGuardedFetch({ allowPrivate: true, timeoutMs: 150 });
    await expect(guarded(url)).rejects.toMatchObject({ code: 'net_timeout' });
    const response = await guarded(`${url}/body`);
    await expect(response.text()).rejects.toMatchObject({ code: 'net_timeout' });
  });

  it('passes the reason of the caller on when the caller aborts', async () => {
    const { url } = await startServer(() => undefined);
    const caller = new AbortController();
    const pending = createGuardedFetch({ allowPrivate: true })(url, { signal: caller.signal });
    caller.abort(new Error('shutting down'));
    await expect(pending).rejects.toThrow('shutting down');
  });

  it('says that nothing listens or that a name is unknown, without addresses', async () => {
    const { url, server } = await startServer(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    await expect(createGuardedFetch({ allowPrivate: true })(url)).rejects.toMatchObject({
      code: 'net_unreachable',
      message: expect.stringContaining('refused'),
    });
    const unknown: ResolveHost = (_host, _options, done) =>
      done(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), []);
    await expect(
      createGuardedFetch({ allowPrivate: false, resolve: unknown })('https://gone.example'),
    ).rejects.toMatchObject({ code: 'net_unreachable', message: expect.stringContaining('unknown') });
  });

  it('answers with an empty body and refuses URLs with credentials or of other schemes', async () => {
    const { url } = await startServer((_request, response) => response.writeHead(304, { etag: '"1"' }).end());
    const guarded = createGuardedFetch({ allowPrivate: true });
    const response = await guarded(url);
    expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([304, '"1"', '']);
    const error = await guarded('https://user:hush@a.example/').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'net_url_refused' });
    expect(String(error)).not.toContain('hush');
    await expect(guarded('file:///etc/passwd')).rejects.toMatchObject({ code: 'net_url_refused' });
  });
});
