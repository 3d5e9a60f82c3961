import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../../requirements/proves.ts';
import { BAD_TOKENS } from './bad-tokens.ts';
import { build } from './build-authenticator.ts';
import { AUDIENCE, type LoopbackIdp, makeKey, seconds, startIdp } from './loopback-idp.ts';

let idp: LoopbackIdp;
beforeAll(async () => {
  idp = await startIdp('/realms/acme');
  idp.keys = [makeKey('RS256'), makeKey('PS256'), makeKey('ES256'), makeKey('EdDSA')];
});
afterAll(() => idp.close());

describe('JWT validation', () => {
  it.each([
    'RS256',
    'PS256',
    'ES256',
    'EdDSA',
  ] as const)(`${proves('C-7-10', 'S-5.1-02', 'S-5.2-03')} accepts %s, with and without kid`, async (alg) => {
    const bench = build([idp.provider()]);
    expect((await bench.admit(idp.mint({ sub: 'a' }, { alg }))).subject).toBe('a');
    expect((await bench.admit(idp.mint({ sub: 'b' }, { alg, kid: null }))).subject).toBe('b');
  });

  it.each(
    BAD_TOKENS,
  )(`${proves('S-5.2-04', 'S-5.2-08', 'S-5.2-09', 'S-5.2-10', 'S-5.2-11', 'S-5.2-12', 'S-5.2-16', 'C-7-11', 'C-7-12', 'C-7-14', 'C-7-15', 'C-12.12-01')} refuses %s`, async (_name, reason, mint) => {
    const bench = build([idp.provider()]);
    await bench.admit(idp.mint());
    expect(await bench.refuse(mint(idp))).toMatchObject({ failure: 'invalid_token', reason });
  });

  it('refuses an exp beyond all numbers', async () => {
    const [header, payload] = idp.mint().split('.');
    const endless = Buffer.from(
      String(Buffer.from(payload ?? '', 'base64url')).replace(/"exp":\d+/, '"exp":1e999'),
    );
    const data = `${header}.${endless.toString('base64url')}`;
    const key = idp.keys.find((one) => one.alg === 'ES256');
    if (!key) throw new Error('no key');
    const { signWith } = await import('./loopback-idp.ts');
    const token = `${data}.${signWith('ES256', key.privateKey, data)}`;
    expect((await build([idp.provider()]).refuse(token)).reason).toBe('malformed');
  });

  it(`${proves('C-7-13')} accepts an audience array that holds ours, and 30 s of clock difference both ways`, async () => {
    const bench = build([idp.provider()]);
    await bench.admit(idp.mint({ aud: ['x', AUDIENCE] }));
    await bench.admit(idp.mint({ exp: seconds() - 20 }));
    await bench.admit(idp.mint({ nbf: seconds() + 20 }));
    expect((await bench.refuse(idp.mint({ exp: seconds() - 40 }))).reason).toBe('expired');
    expect((await bench.refuse(idp.mint({ nbf: seconds() + 40 }))).reason).toBe('not_yet_valid');
  });

  it(`${proves('S-5.2-15')} tries providers in order and accepts the first that validates`, async () => {
    const other = await startIdp();
    const bench = build([
      idp.provider({ name: 'wrong-audience', audience: 'else' }),
      idp.provider({ name: 'right' }),
      other.provider({ name: 'other' }),
    ]);
    expect((await bench.admit(idp.mint({ sub: 'first' }))).subject).toBe('first');
    expect((await bench.admit(other.mint({ sub: 'second' }))).subject).toBe('second');
    expect((await bench.refuse(idp.mint({}, { key: makeKey('ES256') }))).description).not.toMatch(
      /right|wrong|main/,
    );
    await other.close();
  });

  it('does not contact an issuer for tokens of another', async () => {
    const other = await startIdp();
    const bench = build([other.provider(), idp.provider()]);
    await bench.admit(idp.mint());
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it('never logs token content', async () => {
    const bench = build([idp.provider()]);
    for (const [, , mint] of BAD_TOKENS) await bench.refuse(mint(idp));
    const text = JSON.stringify(bench.log);
    expect(bench.log.length).toBeGreaterThan(10);
    expect(text).not.toMatch(/eyJ|someone/);
  });
});
