import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Identity, ROLES } from '../../../server/auth/identity.ts';
import { ANYBODY } from '../../../server/auth/make-identity.ts';
import { holdsRole, mayPass, mayWrite, requireRole } from '../../../server/authz/decide.ts';
import { compileRoles, resolveRoles } from '../../../server/authz/roles.ts';
import { type Claims, normalizeClaims } from '../../../sources/model/claims.ts';
import { proves } from '../../requirements/proves.ts';

const caller = (claims: Record<string, string[]>, more: Partial<Identity> = {}): Identity => ({
  ...ANYBODY,
  held: new Map(Object.entries(claims)),
  roles: [],
  unrestricted: false,
  anonymous: false,
  ...more,
});

describe('claims', () => {
  const acme = { org: ['A'], team: ['T'] };
  it.each([
    [{ org: 'A' }, acme, true, true],
    [{ org: 'A', team: 'T' }, { org: ['A'] }, false, false],
    [undefined, acme, false, true],
    [{}, acme, false, true],
    [{ org: 'A' }, { org: ['B'] }, false, false],
    [{ team: ['T', 'U'] }, acme, true, false],
    [{ team: ['T', 'U'] }, { team: ['U', 'V', 'T'] }, true, true],
    [{ team: ['T', 'U'] }, { team: ['V'] }, false, false],
    [{ org: 'a' }, acme, false, false],
  ] as [
    Claims | undefined,
    Record<string, string[]>,
    boolean,
    boolean,
  ][])(`${proves('S-2.1-01', 'S-2.1-02', 'S-5.9-01', 'S-5.9-03', 'S-5.9-06', 'S-5.9-10', 'S-5.9-11', 'S-5.9-12', 'S-5.9-13', 'S-5.9-14')} %j for %j: pass %s, write %s`, (claims, held, pass, write) => {
    expect(mayPass(caller(held), normalizeClaims(claims))).toBe(pass);
    expect(mayWrite(caller(held), normalizeClaims(claims))).toBe(write);
  });

  it('are no hindrance to an unrestricted caller', () => {
    for (const claims of [undefined, { org: 'A' }]) {
      expect(mayPass(caller({}, { unrestricted: true }), normalizeClaims(claims))).toBe(true);
      expect(mayWrite(caller({}, { unrestricted: true }), normalizeClaims(claims))).toBe(true);
    }
  });
});

describe('roles', () => {
  it('are required by name with 403 role_missing', () => {
    const writer = caller({}, { roles: ['manageEntries'] });
    expect(holdsRole(writer, 'manageEntries')).toBe(true);
    requireRole(writer, 'manageEntries');
    expect(() => requireRole(writer, 'manageSources')).toThrow(
      expect.objectContaining({
        status: 403,
        code: 'role_missing',
        message: expect.stringContaining('manageSources'),
      }),
    );
    expect(() => requireRole(caller({}, { unrestricted: true }), 'manageSources')).toThrow();
  });

  it('are all held by a super-admin', () => {
    const root = caller({}, { roles: ['superAdmin'], superAdmin: true, unrestricted: true });
    for (const role of ROLES) requireRole(root, role);
  });

  it(`${proves('S-5.7-01', 'S-5.7-07', 'S-5.7-08')} match like the naive reading of specification 5.7`, () => {
    const value = fc.constantFrom('a', 'b', 'c');
    const claims = fc.dictionary(
      fc.constantFrom('k', 'l', 'm'),
      fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 })),
      { maxKeys: 3 },
    );
    const rules = fc.array(claims, { maxLength: 3 });
    const heldValues = fc.dictionary(fc.constantFrom('k', 'l', 'm'), fc.array(value, { maxLength: 2 }));
    const config = fc.record(
      { superAdmin: rules, manageSources: rules, manageRegistries: rules, manageEntries: rules },
      { requiredKeys: [] },
    );
    let matched = 0;
    fc.assert(
      fc.property(config, heldValues, (roles, own) => {
        const expected = ROLES.filter((role) => {
          for (const rule of roles[role] ?? []) {
            let every = Object.keys(rule).length > 0;
            for (const [key, wanted] of Object.entries(rule)) {
              let any = false;
              for (const one of Array.isArray(wanted) ? wanted : [wanted]) {
                for (const has of own[key] ?? []) if (has === one) any = true;
              }
              if (!any) every = false;
            }
            if (every) return true;
          }
          return false;
        });
        matched += expected.length;
        expect(resolveRoles(compileRoles(roles), new Map(Object.entries(own)))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
    expect(matched).toBeGreaterThan(20);
  });
});
