import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProviderConfig } from '../../../sources/config/schema.ts';
import { proves } from '../../requirements/proves.ts';
import { build } from './build-authenticator.ts';
import { AUDIENCE, goodMembers, type LoopbackIdp, seconds, startIdp } from './loopback-idp.ts';

let idp: LoopbackIdp;
let dir: string;
beforeEach(async () => {
  idp = await startIdp();
  dir = await mkdtemp(join(tmpdir(), 'berth-introspection-'));
});
afterEach(async () => {
  await idp.close();
  await rm(dir, { recursive: true });
});

const start = (more: Partial<ProviderConfig> = {}) =>
  build([idp.provider({ introspectionUrl: `${idp.base}/introspect`, ...more })], {}, { baseDir: dir });
const answer = (more: Record<string, unknown>) => {
  const members = Object.entries({ active: true, ...goodMembers(idp), ...more });
  idp.opaque.set('opaque', Object.fromEntries(members.filter(([, value]) => value !== undefined)));
};

describe('introspection', () => {
  it(`${proves('S-5.2-05', 'S-5.4-05', 'C-7-08')} turns every returned member into a claim and sends the token as a form`, async () => {
    answer({ org: 'acme', teams: ['a', 'b'], scope: 'read write', deep: { role: 'x' } });
    const { held, subject } = await start().admit('opaque');
    expect(subject).toBe('someone');
    expect(held.get('org')).toEqual(['acme']);
    expect(held.get('teams')).toEqual(['a', 'b']);
    expect(held.get('scope')).toEqual(['read write', 'read', 'write']);
    expect(held.get('deep.role')).toEqual(['x']);
    const [request] = idp.requests;
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(request?.body).toBe('token=opaque&token_type_hint=access_token');
    expect(request?.headers.authorization).toBeUndefined();
  });

  it(`${proves('S-5.4-06', 'S-5.4-07')} authenticates the client with the secret file, re-read at each use`, async () => {
    answer({});
    await writeFile(join(dir, 'secret'), 's:e cret+\n');
    const bench = start({ clientId: 'client/1', clientSecretFile: 'secret' });
    await bench.admit('opaque');
    await writeFile(join(dir, 'secret'), 'next');
    bench.advance(61_000);
    await bench.admit('opaque');
    const pairs = idp.requests.map(({ headers }) =>
      Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64').toString(),
    );
    expect(pairs).toEqual(['client%2F1:s%3Ae%20cret%2B', 'client%2F1:next']);
  });

  it(`${proves('S-5.4-09', 'S-5.4-10')} authenticates with the token file otherwise, for keys too`, async () => {
    answer({});
    await writeFile(join(dir, 'token'), 'workload-token\n');
    const bench = start({ authTokenFile: 'token' });
    await bench.admit('opaque');
    await bench.admit(idp.mint());
    expect(idp.requests).toHaveLength(3);
    for (const { headers } of idp.requests) expect(headers.authorization).toBe('Bearer workload-token');
  });

  it('is refused without the secret, and neither the log nor the client learns a secret', async () => {
    answer({});
    await writeFile(join(dir, 'two-lines'), 'one\ntop-secret');
    for (const authTokenFile of ['absent', 'two-lines']) {
      const bench = start({ authTokenFile });
      expect((await bench.refuse('opaque')).reason).toBe('provider_unavailable');
      expect(bench.log.some((line) => line.level === 'warn' && 'provider' in line.fields)).toBe(true);
      expect(JSON.stringify(bench.log)).not.toContain('top-secret');
    }
    expect(idp.requests).toEqual([]);
  });

  it.each([
    ['inactive', { active: false }],
    ['inactive', { active: 'true' }],
    ['inactive', { active: undefined }],
    ['expired', { exp: seconds() - 120 }],
    ['malformed', { exp: 'never' }],
    ['not_yet_valid', { nbf: seconds() + 600 }],
    ['malformed', { nbf: null }],
    ['issuer', { iss: 'https://else.example' }],
    ['audience', { aud: 'else' }],
    ['audience', { aud: ['else', `${AUDIENCE}2`] }],
    ['audience', { aud: null }],
  ])(`${proves('C-12.12-04')} refuses as %s: %j`, async (reason, more) => {
    answer(more);
    expect(await start().refuse('opaque')).toMatchObject({ failure: 'invalid_token', reason });
  });

  it('accepts an answer without exp, iss and aud, and one whose audience array holds ours', async () => {
    answer({ exp: undefined, iss: undefined, aud: undefined, sub: undefined });
    expect((await start().admit('opaque')).subject).toBe('');
    answer({ aud: ['x', AUDIENCE] });
    await start().admit('opaque');
  });

  it(`${proves('C-7-20')} is asked again after 60 s, or when the token ends before`, async () => {
    answer({});
    const bench = start();
    const first = await bench.admit('opaque');
    bench.advance(59_000);
    expect(bench.ask('opaque')).toBe(first);
    bench.advance(1_000);
    idp.opaque.clear();
    expect((await bench.refuse('opaque')).reason).toBe('inactive');
    answer({ exp: seconds() + 60 - 20 });
    await bench.admit('opaque');
    bench.advance(12_000);
    expect((await bench.refuse('opaque')).reason).toBe('expired');
  });

  it(`${proves('S-5.2-06', 'S-5.2-07')} takes over for a JWT that does not validate, and is not asked about one that does`, async () => {
    const bench = start();
    await bench.admit(idp.mint());
    expect(idp.count('/introspect')).toBe(0);
    const foreign = idp.mint({ iss: 'https://else.example' });
    idp.opaque.set(foreign, { active: true, ...goodMembers(idp), sub: 'exchanged' });
    expect((await bench.admit(foreign)).subject).toBe('exchanged');
    expect((await bench.refuse(idp.mint({ exp: seconds() - 120 }))).reason).toBe('expired');
    expect((await bench.refuse(idp.mint({ exp: 'never' }))).reason).toBe('malformed');
    expect(idp.count('/introspect')).toBe(3);
  });

  it.each([
    ['down', () => Object.assign(idp, { down: 503 })],
    ['cut off', () => Object.assign(idp, { down: 'drop' })],
    ['too long', () => answer({ pad: 'x'.repeat(70_000) })],
    ['no JSON', () => idp.opaque.set('opaque', 'active')],
  ])(`${proves('C-12.12-05')} that is %s gives a 401 with a reason`, async (_name, breakIt) => {
    answer({});
    breakIt();
    const failure = await start().refuse('opaque');
    expect(failure).toMatchObject({ failure: 'invalid_token', reason: 'provider_unavailable' });
    expect(failure.description).not.toContain('127.0.0.1');
  });

  it('asks providers in order', async () => {
    const other = await startIdp();
    other.opaque.set('theirs', { active: true, sub: 'theirs' });
    const bench = build([
      idp.provider({ introspectionUrl: `${idp.base}/introspect` }),
      other.provider({ name: 'none' }),
      other.provider({ name: 'two', introspectionUrl: `${other.base}/introspect` }),
    ]);
    expect((await bench.admit('theirs')).subject).toBe('theirs');
    expect(idp.count('/introspect')).toBe(1);
    await other.close();
  });
});
