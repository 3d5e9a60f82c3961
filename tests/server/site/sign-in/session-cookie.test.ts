import { describe, expect, it } from 'vitest';
import {
  clearSessionCookie,
  readSessionCookie,
  type SignedInSession,
  writeSessionCookie,
} from '../../../../server/site/sign-in/session.ts';
import { readSetCookie } from './read-set-cookie.ts';

const keys = { session: new Uint8Array(32).fill(1), pending: new Uint8Array(32), form: new Uint8Array(32) };
const style = { prefix: '__Host-', isSecure: true } as const;
const session: SignedInSession = {
  id: 'id',
  issuer: 'https://id.test',
  clientId: 'site',
  subject: 'alice',
  name: 'Alice',
  accessToken: 'access',
  signedInAt: 1000,
};

const request = (cookies: Iterable<readonly [string, string]> = []) =>
  new Request('https://registry.test/', {
    headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
const send = (lines: readonly string[]) =>
  request(lines.map(readSetCookie).map(({ name, value }) => [name, value] as const));
const keep = async (changes: Partial<SignedInSession>) => {
  const lines = await writeSessionCookie(request(), { ...session, ...changes }, keys, style);
  return lines && (await readSessionCookie(send(lines), keys, style, 1000)).session;
};

describe('the cookie of a session', () => {
  it('brings everything back', async () => {
    const full = { refreshToken: 'refresh', idToken: 'id', expiresAt: 5 };
    expect(await keep(full)).toEqual({ ...session, ...full });
  });

  it('leaves out first the ID token, then the refresh token, when there is no room', async () => {
    const big = 'x'.repeat(4500);
    expect(Object.keys((await keep({ refreshToken: big, idToken: big })) ?? {})).toContain('refreshToken');
    expect(await keep({ refreshToken: big, idToken: big })).not.toHaveProperty('idToken');
    const access = 'x'.repeat(8000);
    const bare = await keep({ accessToken: access, refreshToken: big, idToken: big });
    expect(bare).toEqual({ ...session, accessToken: access });
    expect(await keep({ accessToken: 'x'.repeat(9000) })).toBeUndefined();
  });

  it('clears what is left of a longer one, and nothing of others', async () => {
    const before = request([
      ['__Host-berth-session', 'a'],
      ['__Host-berth-session.1', 'b'],
      ['__Host-berth-session.2', 'c'],
      ['__Host-berth-sessions', 'other'],
      ['__Host-berth-session.x', 'other'],
      ['berth-session', 'other'],
    ]);
    const lines = (await writeSessionCookie(before, session, keys, style)) ?? [];
    const gone = lines.map(readSetCookie).filter(({ attributes }) => attributes.get('max-age') === '0');
    expect(gone.map(({ name }) => name)).toEqual(['__Host-berth-session.1', '__Host-berth-session.2']);
    expect(clearSessionCookie(before, style).map((line) => readSetCookie(line).name)).toEqual([
      '__Host-berth-session',
      '__Host-berth-session.1',
      '__Host-berth-session.2',
    ]);
  });

  it('is not the same twice, so that nobody sees whether anything changed', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => writeSessionCookie(request(), session, keys, style)),
    );
    expect(one).not.toEqual(two);
  });

  it.each([
    '',
    'x',
    'a.b.c.d.e',
    'eyJhbGciOiJub25lIn0..',
    '..',
    '....',
  ])('is none when it is %j', async (text) => {
    const found = await readSessionCookie(request([['__Host-berth-session', text]]), keys, style, 1000);
    expect(found).toEqual({ wasSent: true, session: undefined });
  });

  it('is none without any', async () => {
    expect(await readSessionCookie(request(), keys, style, 1000)).toEqual({
      wasSent: false,
      session: undefined,
    });
  });
});
