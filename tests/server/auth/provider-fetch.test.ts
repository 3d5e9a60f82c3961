import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchJson } from '../../../server/auth/fetch-json.ts';
import { createProviderFetch } from '../../../server/auth/provider-fetch.ts';
import { proves } from '../../requirements/proves.ts';
import { PRIVATE_HOSTS } from '../../sources/net/private-spellings.ts';
import { build } from './build-authenticator.ts';
import { type LoopbackIdp, startIdp } from './loopback-idp.ts';
import { LOOPBACK_CERT, LOOPBACK_KEY } from './loopback-tls.ts';

let idp: LoopbackIdp;
beforeAll(async () => {
  idp = await startIdp();
});
afterAll(() => idp.close());

describe('requests to providers', () => {
  it(`${proves('S-5.4-11', 'S-5.4-12', 'C-7-24', 'C-7-25', 'C-12.1-01')} do not reach a loopback issuer unless it is allowed`, async () => {
    const before = idp.requests.length;
    const bench = build([idp.provider({ allowPrivateIP: false })]);
    expect((await bench.refuse(idp.mint())).reason).toBe('provider_unavailable');
    expect(idp.requests.length).toBe(before);
    await build([idp.provider({ allowPrivateIP: false, insecureAllowHttp: true })]).admit(idp.mint());
    await build([idp.provider({ allowPrivateIP: true })]).admit(idp.mint());
  });

  it.each([
    'https://10.0.0.1/keys',
    'https://[::ffff:192.168.0.1]/keys',
    'https://169.254.169.254/x',
    ...PRIVATE_HOSTS.map((host) => `https://${host}/keys`),
  ])('refuse %s without allowPrivateIP, also with insecureAllowHttp', async (url) => {
    const provider = idp.provider({ allowPrivateIP: false, insecureAllowHttp: true });
    await expect(createProviderFetch(provider, '/')(url)).rejects.toMatchObject({
      code: 'net_private_address',
    });
  });

  it.each([
    ['issuerUrl', (url: string) => ({ issuerUrl: url })],
    ['jwksUrl', (url: string) => ({ jwksUrl: url })],
    ['introspectionUrl', (url: string) => ({ introspectionUrl: url, clientId: 'berth' })],
  ])('refuse a private address as %s, in every spelling', async (field, settings) => {
    for (const host of PRIVATE_HOSTS) {
      const url = `https://${host}/x`;
      const bench = build([idp.provider({ allowPrivateIP: false, ...settings(url) })]);
      const token =
        field === 'issuerUrl' ? idp.mint({ iss: url }) : field === 'jwksUrl' ? idp.mint() : 'opaque';
      expect((await bench.refuse(token)).reason).toBe('provider_unavailable');
      expect(JSON.stringify(bench.log)).toContain('private');
    }
  });

  it('refuse a private address that a discovery document names', async () => {
    const other = await startIdp();
    for (const host of PRIVATE_HOSTS) {
      other.override = { discovery: { issuer: other.issuer, jwks_uri: `https://${host}/keys` } };
      const bench = build([other.provider({ allowPrivateIP: false, insecureAllowHttp: true })]);
      expect((await bench.refuse(other.mint())).reason).toBe('provider_unavailable');
    }
    expect(other.count('/keys')).toBe(0);
    await other.close();
  });

  it('refuse plain http to anything but loopback', async () => {
    const fetch = createProviderFetch(idp.provider(), '/');
    await expect(fetch('http://192.0.2.1/keys')).rejects.toMatchObject({ code: 'provider_insecure' });
    expect((await fetch(`${idp.base}/keys`)).status).toBe(200);
  });

  it('guard the jwks_uri a discovery document names', async () => {
    const other = await startIdp();
    other.override = { discovery: { issuer: other.issuer, jwks_uri: 'http://192.0.2.1/keys' } };
    const bench = build([other.provider()]);
    expect((await bench.refuse(other.mint())).reason).toBe('provider_unavailable');
    expect(JSON.stringify(bench.log)).toContain('only asked over https');
    await other.close();
  });

  it('say so when the CA file is missing', async () => {
    const fetch = createProviderFetch(idp.provider({ caCertPath: 'absent.pem' }), '/nowhere');
    await expect(fetch('https://127.0.0.1:1/')).rejects.toMatchObject({ code: 'provider_ca_unreadable' });
  });

  it(`${proves('S-5.4-08')} trust caCertPath, and a CA file that is replaced from the next request on`, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'berth-ca-'));
    const server = createServer({ key: LOOPBACK_KEY, cert: LOOPBACK_CERT }, (_, response) =>
      response.end('{}'),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      const url = `https://127.0.0.1:${address.port}/`;
      await expect(createProviderFetch(idp.provider(), dir)(url)).rejects.toMatchObject({
        code: 'net_unreachable',
      });
      const fetch = createProviderFetch(idp.provider({ caCertPath: 'ca.pem' }), dir);
      await writeFile(join(dir, 'ca.pem'), '');
      await expect(fetch(url)).rejects.toThrow();
      await writeFile(join(dir, 'ca.pem'), LOOPBACK_CERT);
      expect((await fetch(url)).status).toBe(200);
    } finally {
      server.closeAllConnections();
      server.close();
      await rm(dir, { recursive: true });
    }
  });

  it('do not follow redirects, which would take credentials elsewhere', async () => {
    const server = createHttpServer((_, response) => {
      response.writeHead(302, { location: `${idp.base}/keys` }).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      const fetch = createProviderFetch(idp.provider(), '/');
      const before = idp.requests.length;
      const asking = fetchJson(fetch, `http://127.0.0.1:${address.port}/`, {}, 10_000);
      await expect(asking).rejects.toMatchObject({ code: 'net_redirect' });
      expect(idp.requests.length).toBe(before);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
