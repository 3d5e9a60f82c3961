import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProviderFetch } from '../../../server/auth/provider-fetch.ts';
import { build } from './build-authenticator.ts';
import { type LoopbackIdp, startIdp } from './loopback-idp.ts';

let idp: LoopbackIdp;
beforeAll(async () => {
  idp = await startIdp();
});
afterAll(() => idp.close());

describe('requests to providers', () => {
  it('do not reach a loopback issuer unless it is allowed', async () => {
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
  ])('refuse %s without allowPrivateIP, also with insecureAllowHttp', async (url) => {
    const provider = idp.provider({ allowPrivateIP: false, insecureAllowHttp: true });
    await expect(createProviderFetch(provider, '/')(url)).rejects.toMatchObject({
      code: 'net_private_address',
    });
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
});
