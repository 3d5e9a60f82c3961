import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proves } from '../../requirements/proves.ts';
import { build } from './build-authenticator.ts';
import { DISCOVERY, type LoopbackIdp, makeKey, startIdp } from './loopback-idp.ts';

let idp: LoopbackIdp;
beforeEach(async () => {
  idp = await startIdp();
});
afterEach(() => idp.close());

describe('signing keys', () => {
  it(`${proves('S-5.2-13', 'S-5.2-14', 'S-5.4-04')} are found through discovery, or without it when jwksUrl is set`, async () => {
    await build([idp.provider()]).admit(idp.mint());
    expect(idp.count(DISCOVERY)).toBe(1);
    await build([idp.provider({ jwksUrl: `${idp.base}/keys` })]).admit(idp.mint());
    expect(idp.count(DISCOVERY)).toBe(1);
  });

  it.each([
    '/realms/acme/',
    '/realms/acme',
    '/',
  ])('discovery of issuer path %s has no double slash', async (path) => {
    const other = await startIdp(path);
    await build([other.provider()]).admit(other.mint());
    expect(other.requests[0]?.path).toBe(`${path.replace(/\/$/, '')}${DISCOVERY}`);
    await other.close();
  });

  it('are refused when discovery names another issuer or nothing usable', async () => {
    for (const discovery of [
      { issuer: `${idp.issuer}/`, jwks_uri: `${idp.base}/keys` },
      { issuer: idp.issuer },
      [],
    ]) {
      idp.override = { discovery };
      const bench = build([idp.provider()]);
      expect((await bench.refuse(idp.mint())).reason).toBe('provider_unavailable');
      expect(bench.log.filter((line) => line.level === 'warn' && 'provider' in line.fields)).toHaveLength(1);
    }
    expect(idp.count('/keys')).toBe(0);
  });

  it(`${proves('C-7-17')} that rotate are fetched for an unknown kid at once, then at most once per 30 s`, async () => {
    const bench = build([idp.provider()]);
    await bench.admit(idp.mint());
    idp.keys = [makeKey('ES256')];
    await bench.admit(idp.mint());
    expect(idp.count('/keys')).toBe(2);
    idp.keys = [makeKey('ES256')];
    const token = idp.mint();
    for (let count = 0; count < 20; count += 1) await bench.refuse(idp.mint({}, { key: makeKey('ES256') }));
    expect((await bench.refuse(token)).reason).toBe('unknown_key');
    expect(idp.count('/keys')).toBe(2);
    bench.advance(30_000);
    await bench.admit(token);
    expect(idp.count('/keys')).toBe(3);
  });

  it('without kid that rotate are fetched when no signature fits', async () => {
    const bench = build([idp.provider()]);
    await bench.admit(idp.mint({}, { kid: null }));
    idp.keys = [makeKey('ES256')];
    await bench.admit(idp.mint({}, { kid: null }));
    expect(idp.count('/keys')).toBe(2);
  });

  it(`${proves('C-7-18')} are refreshed by age in the background and served stale while the issuer is down`, async () => {
    const bench = build([idp.provider()]);
    await bench.admit(idp.mint());
    idp.down = 'drop';
    bench.advance(601_000);
    const members = { exp: Math.floor(Date.now() / 1000) + 9_000 };
    await bench.admit(idp.mint(members));
    await expect.poll(() => bench.log.some((line) => 'error' in line.fields)).toBe(true);
    await bench.admit(idp.mint(members));
    const requests = idp.requests.length;
    await bench.admit(idp.mint(members));
    expect(idp.requests.length).toBe(requests);
    idp.down = undefined;
    bench.advance(31_000);
    await bench.admit(idp.mint(members));
    await expect.poll(() => idp.count('/keys')).toBe(3);
  });

  it.each([
    503,
    'drop',
  ] as const)(`${proves('C-12.12-06', 'C-12.12-07', 'C-12.12-08')} of an issuer that is down (%s) at start are had soon after it is back`, async (down) => {
    idp.down = down;
    const bench = build([idp.provider()]);
    const token = idp.mint();
    for (let count = 0; count < 5; count += 1) {
      expect(await bench.refuse(token)).toMatchObject({
        failure: 'invalid_token',
        reason: 'provider_unavailable',
      });
    }
    expect(idp.requests).toHaveLength(1);
    idp.down = undefined;
    expect((await bench.refuse(token)).reason).toBe('provider_unavailable');
    bench.advance(5_000);
    await bench.admit(token);
  });

  it('that are not for verifying, symmetric or nonsense are ignored; the others of the set work', async () => {
    const good = makeKey('ES256');
    idp.keys = [good];
    const oct = { kty: 'oct', k: 'c2VjcmV0', kid: 'oct' };
    const encryption = { ...makeKey('ES256', 'enc').jwk, use: 'enc' };
    const broken = { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'broken' };
    const privateToo = { ...good.privateKey.export({ format: 'jwk' }), kid: good.kid };
    idp.override = { keys: { keys: [null, 5, {}, oct, encryption, broken, privateToo] } };
    const bench = build([idp.provider()]);
    await bench.admit(idp.mint());
    for (const kid of ['oct', 'enc', 'broken']) await bench.refuse(idp.mint({}, { kid }));
  });

  it('of an answer that is too long, no JSON or no key set are not used', async () => {
    for (const keys of ['{"keys":[', { keys: 'x' }, JSON.stringify({ keys: [], pad: 'x'.repeat(600_000) })]) {
      idp.override = { keys };
      expect((await build([idp.provider()]).refuse(idp.mint())).reason).toBe('provider_unavailable');
    }
  });
});
