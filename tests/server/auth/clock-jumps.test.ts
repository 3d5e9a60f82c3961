import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { build } from './build-authenticator.ts';
import { goodMembers, type LoopbackIdp, makeKey, seconds, startIdp } from './loopback-idp.ts';

const HOUR = 3_600_000;

let idp: LoopbackIdp;
beforeEach(async () => {
  idp = await startIdp();
});
afterEach(() => idp.close());

describe('when the clock goes forward', () => {
  it('a remembered token that has ended meanwhile is refused, each time it is replayed', async () => {
    const bench = build([idp.provider()]);
    const token = idp.mint({ exp: seconds() + 100 });
    await bench.admit(token);
    bench.advance(24 * HOUR);
    for (let time = 0; time < 3; time++) expect((await bench.refuse(token)).reason).toBe('expired');
    expect(bench.authenticator.recalls()).toBe(0);
  });

  it('a token that has not ended goes on being remembered', async () => {
    const bench = build([idp.provider()]);
    const token = idp.mint({ exp: seconds() + 7200 });
    const identity = await bench.admit(token);
    bench.advance(HOUR);
    expect(bench.ask(token)).toBe(identity);
  });
});

describe('when the clock goes back', () => {
  it('what was introspected is asked for again, and not remembered for all of the time that comes twice', async () => {
    const bench = build([idp.provider({ introspectionUrl: `${idp.base}/introspect`, clientId: 'berth' })]);
    idp.opaque.set('opaque', { active: true, ...goodMembers(idp), exp: undefined });
    await bench.admit('opaque');
    idp.opaque.clear();
    bench.advance(-HOUR);
    expect((await bench.refuse('opaque')).reason).toBe('inactive');
  });

  it('a token that was refused as expired is not remembered from before', async () => {
    const bench = build([idp.provider()]);
    const token = idp.mint({ exp: seconds() + 100 });
    await bench.admit(token);
    bench.advance(HOUR);
    await bench.refuse(token);
    bench.advance(-HOUR);
    await bench.admit(token);
    expect(bench.authenticator.recalls()).toBe(0);
  });

  it('keys that rotate are fetched for an unknown kid as ever', async () => {
    const bench = build([idp.provider()]);
    const members = { exp: seconds() + 7200 };
    await bench.admit(idp.mint(members));
    idp.keys = [makeKey('ES256')];
    await bench.admit(idp.mint(members));
    expect(idp.count('/keys')).toBe(2);
    bench.advance(-HOUR);
    idp.keys = [makeKey('ES256')];
    await bench.admit(idp.mint(members));
  });

  it('a key that is withdrawn is noticed at once, not when the time has caught up', async () => {
    const bench = build([idp.provider()]);
    const token = idp.mint({}, { alg: 'ES256' });
    await bench.admit(token);
    idp.keys = idp.keys.filter(({ alg }) => alg === 'RS256');
    bench.advance(-24 * HOUR);
    await bench.ask(token);
    await expect.poll(() => idp.count('/keys')).toBe(2);
    expect((await bench.refuse(token)).reason).toBe('unknown_key');
  });
});
