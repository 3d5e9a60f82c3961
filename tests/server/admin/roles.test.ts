import { describe, expect, it } from 'vitest';
import type { AdminCall, AdminRoute } from '../../../server/admin/admin-route.ts';
import { listAdminRoutes } from '../../../server/admin/admin-routes.ts';
import { type Identity, ROLES, type Role } from '../../../server/auth/identity.ts';
import { ANYBODY } from '../../../server/auth/make-identity.ts';
import { Overlay } from '../../../server/overlay/overlay.ts';
import { RegistryService } from '../../../server/registry-service.ts';
import { proves } from '../../requirements/proves.ts';

const untouched = {
  get(_: object, member: string | symbol): never {
    throw new Error(`${String(member)} was looked at before the role`);
  },
};
const routes = listAdminRoutes(
  new Proxy<RegistryService>(Object.create(RegistryService.prototype), untouched),
  new Proxy<Overlay>(Object.create(Overlay.prototype), untouched),
);

function neededFor({ path }: AdminRoute): Role {
  if (path.startsWith('/v1/sources')) return 'manageSources';
  if (path.startsWith('/v1/registries')) return 'manageRegistries';
  if (path.startsWith('/v1/entries')) return 'manageEntries';
  return 'superAdmin';
}

/** A caller with every role but the one, and but the one that stands for all. */
function without(role: Role): Identity {
  const roles = ROLES.filter((one) => one !== role && one !== 'superAdmin');
  return { ...ANYBODY, roles, superAdmin: false, unrestricted: false, anonymous: false };
}

describe('the role of a call', () => {
  const guarded = routes.filter(({ path }) => path !== '/v1/me');

  it('is asked for on every path of the contract', () => {
    const paths = guarded.map(({ method, path }) => `${method} ${path}`);
    for (const one of ['sources/:source', 'registries/:registry']) {
      const list = one.slice(0, one.indexOf('/'));
      for (const path of [`GET /v1/${list}`, ...['GET', 'PUT', 'DELETE'].map((verb) => `${verb} /v1/${one}`)])
        expect(paths).toContain(path);
    }
    expect(paths).toEqual(
      expect.arrayContaining([
        'POST /v1/sources/:source/sync',
        'POST /v1/sources/:source/rollback',
        'POST /v1/entries',
        'DELETE /v1/entries/:type/:name/versions/:version',
        'PATCH /v1/entries/:type/:name/versions/:version',
        'GET /v1/entries/:type/:name/claims',
        'PUT /v1/entries/:type/:name/claims',
        'GET /v1/explain',
      ]),
    );
  });

  const call = (role: Role): AdminCall => ({
    identity: without(role),
    params: { source: 'no such', registry: 'no such', type: 'widget', name: '?', version: '' },
    query: new Map([['claims', '{']]),
    body: undefined,
    name: () => {},
  });
  const withoutReading = (role: Role): AdminCall => ({
    ...call(role),
    get body(): never {
      throw new Error('the body was read before the role was checked');
    },
  });
  const expectRefused = async (route: AdminRoute, asked: AdminCall) => {
    const answer = async () => route.handle(asked);
    await expect(answer()).rejects.toMatchObject({
      status: 403,
      code: 'role_missing',
      message: expect.stringContaining(neededFor(route)),
    });
  };
  const rows = guarded.map((route) => [route.method, route.path, neededFor(route), route] as const);

  it.each(
    rows,
  )(`${proves('C-6-10', 'C-6-34', 'C-6-57', 'S-4-07', 'S-4-10', 'S-4-16', 'S-4-27', 'S-4-28', 'S-4-29', 'S-5.11-01')} %s %s asks for %s before it looks anything up`, (_method, _path, role, route) =>
    expectRefused(route, call(role)));

  it.each(
    rows,
  )(`${proves('C-6-01')} %s %s asks for %s before it reads the body`, (_method, _path, role, route) =>
    expectRefused(route, withoutReading(role)));
});
