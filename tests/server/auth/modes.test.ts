import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUTH_ONLY_WARNING, createAuthenticator } from '../../../server/auth/authenticator.ts';
import { isFailure, ROLES } from '../../../server/auth/identity.ts';
import { authSchema } from '../../../sources/config/schema.ts';
import { proves } from '../../requirements/proves.ts';
import { build } from './build-authenticator.ts';
import { type LoopbackIdp, startIdp } from './loopback-idp.ts';

let idp: LoopbackIdp;
beforeAll(async () => {
  idp = await startIdp();
});
afterAll(() => idp.close());

const roles = {
  superAdmin: [{ role: 'super-admin' }],
  manageSources: [{ role: 'admin' }],
  manageRegistries: [{ role: 'admin' }],
  manageEntries: [{ role: 'writer' }, { org: 'acme', team: ['x', 'y'] }, {}],
};

describe('modes', () => {
  it(`${proves('S-5.1-03')} anonymous: one constant caller that passes everything, whatever is sent`, () => {
    const authenticator = createAuthenticator(authSchema.parse({ mode: 'anonymous' }), {
      baseDir: '/',
      log: () => undefined,
    });
    const caller = authenticator.authenticate(undefined, '/v1/sources');
    expect(caller).toMatchObject({ anonymous: true, unrestricted: true, superAdmin: false, roles: ROLES });
    expect(authenticator.authenticate('Bearer nonsense', '/')).toBe(caller);
  });

  it('oauth without providers does not start', () => {
    for (const config of [undefined, authSchema.parse({}), authSchema.parse({ mode: 'oauth', authz: {} })]) {
      expect(() => createAuthenticator(config, { baseDir: '/', log: () => undefined })).toThrow(
        expect.objectContaining({ code: 'auth_without_providers' }),
      );
    }
  });

  it(`${proves('S-5.13-01', 'S-5.13-04', 'S-5.13-06')} auth-only: every role, everything visible, a warning at start`, async () => {
    const bench = build([idp.provider()]);
    expect(bench.log).toEqual([{ level: 'warn', fields: {}, message: AUTH_ONLY_WARNING }]);
    expect(AUTH_ONLY_WARNING).toBe(
      'Authorization not configured, per-entry claims filtering disabled (auth-only mode)',
    );
    const caller = await bench.admit(idp.mint({ role: 'super-admin' }));
    expect(caller).toMatchObject({ roles: ROLES, unrestricted: true, superAdmin: false, anonymous: false });
  });

  it(`${proves('S-5.7-09', 'C-7-09')} authz: roles by rules; only a super-admin is unrestricted`, async () => {
    const bench = build([idp.provider()], { authz: { roles } });
    expect(bench.log).toEqual([]);
    const rolesOf = async (members: Record<string, unknown>) => (await bench.admit(idp.mint(members))).roles;
    expect(await rolesOf({})).toEqual([]);
    expect(await rolesOf({ role: ['writer', 'admin'] })).toEqual([
      'manageSources',
      'manageRegistries',
      'manageEntries',
    ]);
    expect(await rolesOf({ org: 'acme', team: ['y'] })).toEqual(['manageEntries']);
    expect(await rolesOf({ org: 'acme', team: 'z' })).toEqual([]);
    expect(await bench.admit(idp.mint({ role: ['super-admin', 'writer'] }))).toMatchObject({
      superAdmin: true,
      unrestricted: true,
      roles: ['superAdmin', 'manageEntries'],
    });
    expect(await bench.admit(idp.mint({ role: 'writer' }))).toMatchObject({
      superAdmin: false,
      unrestricted: false,
    });
  });
});

describe('public paths', () => {
  it(`${proves('C-12.11-01', 'S-5.3-05')} admit a caller without claims and roles; unrestricted only in auth-only mode`, () => {
    const options = { publicPaths: ['/registry/open'] };
    for (const authz of [undefined, { roles }]) {
      const { authenticator } = build([idp.provider()], authz ? { authz } : {}, options);
      for (const path of ['/registry/open/v0.1/servers', '/openapi.json']) {
        const caller = authenticator.authenticate(undefined, path);
        expect(caller).toMatchObject({
          anonymous: true,
          roles: [],
          superAdmin: false,
          subject: '',
          unrestricted: authz === undefined,
        });
      }
      expect(authenticator.authenticate(undefined, '/registry/opened')).toMatchObject({ reason: 'missing' });
    }
  });

  it('honour auth.publicPaths too, know a valid token, and refuse a bad one', async () => {
    const bench = build([idp.provider()], { publicPaths: ['/a'] });
    expect(bench.authenticator.authenticate(undefined, '/a/b')).toMatchObject({ anonymous: true });
    expect(await bench.ask(idp.mint(), '/a')).toMatchObject({ anonymous: false, subject: 'someone' });
    expect(isFailure(await bench.ask('bad', '/a'))).toBe(true);
  });
});
