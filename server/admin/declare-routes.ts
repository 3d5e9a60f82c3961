import { requireRole } from '../authz/decide.ts';
import { KeyedQueue } from '../overlay/keyed-queue.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { RegistryService } from '../registry-service.ts';
import type { AdminCall, AdminRoute } from './admin-route.ts';
import { deleteRegistry, putRegistry, reportRegistry } from './change-registry.ts';
import { deleteSource, putSource } from './change-source.ts';
import { notDeclared, seesDeclared } from './declared-access.ts';
import { pageDeclared } from './page-declared.ts';

/** Creating, updating and deleting sources and registries, and reading registries (specification 5.12, contract 6). */
export function listDeclareRoutes(service: RegistryService, overlay: Overlay): AdminRoute[] {
  const queue = new KeyedQueue();
  /** What each of them checks about sources and registries stays true until it is done. */
  const inTurn = (change: typeof putSource) => (call: AdminCall) =>
    queue.run('declarations', () => change(service, overlay, call));
  return [
    {
      method: 'PUT',
      path: '/v1/sources/:source',
      event: 'source.update',
      handle: inTurn(putSource),
    },
    {
      method: 'DELETE',
      path: '/v1/sources/:source',
      event: 'source.delete',
      handle: inTurn(deleteSource),
    },
    {
      method: 'GET',
      path: '/v1/registries',
      event: 'registry.list',
      handle: ({ identity, query }) => {
        requireRole(identity, 'manageRegistries');
        const seen = [...service.declarations.registries.values()].filter((one) =>
          seesDeclared(identity, one),
        );
        const { maxPageSize } = service.loaded.config.limits;
        const page = pageDeclared('registries', seen, ({ config }) => config.name, query, maxPageSize);
        return { status: 200, body: { registries: page.items.map(reportRegistry), metadata: page.metadata } };
      },
    },
    {
      method: 'GET',
      path: '/v1/registries/:registry',
      event: 'registry.read',
      handle: ({ identity, params }) => {
        requireRole(identity, 'manageRegistries');
        const registry = service.declarations.registries.get(params.registry ?? '');
        if (!registry || !seesDeclared(identity, registry)) throw notDeclared('registry');
        return { status: 200, body: reportRegistry(registry) };
      },
    },
    {
      method: 'PUT',
      path: '/v1/registries/:registry',
      event: 'registry.update',
      handle: inTurn(putRegistry),
    },
    {
      method: 'DELETE',
      path: '/v1/registries/:registry',
      event: 'registry.delete',
      handle: inTurn(deleteRegistry),
    },
  ];
}
