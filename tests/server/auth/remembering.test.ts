import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isFailure } from '../../../server/auth/identity.ts';
import { proves } from '../../requirements/proves.ts';
import { build } from './build-authenticator.ts';
import { type LoopbackIdp, seconds, startIdp } from './loopback-idp.ts';

let idp: LoopbackIdp;
beforeEach(async () => {
  idp = await startIdp();
});
afterEach(() => idp.close());

describe('remembered tokens', () => {
  it(`${proves('C-7-19', 'C-12.12-03')} answers with the same identity, at once, also for another case of the scheme`, async () => {
    const bench = build([idp.provider()]);
    const token = idp.mint();
    const first = await bench.admit(token);
    expect(bench.ask(token)).toBe(first);
    expect(bench.authenticator.authenticate(`bEARER ${token}`, '/')).toBe(first);
    expect(bench.authenticator.recalls()).toBe(2);
  });

  it('checks the end of the token on each recall', async () => {
    const bench = build([idp.provider()]);
    const token = idp.mint({ exp: seconds() + 100 });
    const first = await bench.admit(token);
    expect(Math.abs(first.expiresAt - Date.now() - 100_000)).toBeLessThan(2000);
    bench.advance(120_000);
    expect(bench.ask(token)).toBe(first);
    bench.advance(12_000);
    expect((await bench.refuse(token)).reason).toBe('expired');
  });

  it('does not remember failures, and validates a token shown many times at once only once', async () => {
    const bench = build([idp.provider()]);
    idp.down = 503;
    const token = idp.mint();
    expect((await bench.refuse(token)).reason).toBe('provider_unavailable');
    idp.down = undefined;
    bench.advance(6_000);
    const all = await Promise.all(Array.from({ length: 50 }, () => bench.ask(token)));
    expect(new Set(all).size).toBe(1);
    expect(all.some(isFailure)).toBe(false);
  });

  it(`${proves('C-7-16')} shares one fetch of discovery and keys among all first sights`, async () => {
    const bench = build([idp.provider()]);
    await Promise.all(Array.from({ length: 50 }, () => bench.admit(idp.mint())));
    expect(idp.count('/keys')).toBe(1);
    expect(idp.requests).toHaveLength(2);
  });

  it('forgets tokens whose key is no longer published, keeping the others', async () => {
    const bench = build([idp.provider()]);
    const kept = idp.mint({}, { alg: 'RS256' });
    const revoked = idp.mint({}, { alg: 'ES256' });
    const identity = await bench.admit(kept);
    await bench.admit(revoked);
    idp.keys = idp.keys.filter((key) => key.alg === 'RS256');
    bench.advance(601_000);
    bench.ask(kept);
    await expect.poll(() => idp.count('/keys')).toBe(2);
    await expect.poll(async () => isFailure(await bench.ask(revoked))).toBe(true);
    expect((await bench.refuse(revoked)).reason).toBe('unknown_key');
    expect(bench.ask(kept)).toBe(identity);
  });
});
