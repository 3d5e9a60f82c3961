import type { Overlay } from '../overlay/overlay.ts';
import type { RegistryService } from '../registry-service.ts';
import type { AdminRoute } from './admin-route.ts';
import { deleteVersion, patchVersion, readVersion } from './change-version.ts';
import { listDeclareRoutes } from './declare-routes.ts';
import { readEntryClaims, replaceEntryClaims } from './entry-claims.ts';
import type { EntryContext } from './entry-context.ts';
import { explainRoute } from './explain-route.ts';
import { publishEntry } from './publish-entry.ts';
import { readMe } from './read-me.ts';
import { listSourceRoutes } from './source-routes.ts';

const ENTRY = '/v1/entries/:type/:name';
const VERSION = `${ENTRY}/versions/:version`;

/** The whole admin API (contract 6). */
export function listAdminRoutes(service: RegistryService, overlay: Overlay): AdminRoute[] {
  return [
    { method: 'GET', path: '/v1/me', event: 'user.info', handle: readMe },
    ...listSourceRoutes(service),
    ...listDeclareRoutes(service, overlay),
    ...listEntryRoutes(service, overlay),
    explainRoute(service),
  ];
}

function listEntryRoutes(service: RegistryService, overlay: Overlay): AdminRoute[] {
  const context: EntryContext = {
    overlay,
    world: () => service.world,
    managedSources: () =>
      service
        .listSources()
        .flatMap(({ config }) => (config.managed ? [{ name: config.name, claims: config.claims }] : [])),
    maxMetaBytes: () => service.loaded.config.limits.maxMetaBytes,
  };
  return [
    {
      method: 'POST',
      path: '/v1/entries',
      event: 'entry.publish',
      handle: (call) => publishEntry(context, call),
    },
    { method: 'GET', path: VERSION, event: 'entry.read', handle: (call) => readVersion(context, call) },
    {
      method: 'DELETE',
      path: VERSION,
      event: 'entry.delete',
      handle: (call) => deleteVersion(context, call),
    },
    {
      method: 'PATCH',
      path: VERSION,
      event: 'entry.status.update',
      handle: (call) => patchVersion(context, call),
    },
    {
      method: 'GET',
      path: `${ENTRY}/claims`,
      event: 'entry.claims.read',
      handle: (call) => readEntryClaims(context, call),
    },
    {
      method: 'PUT',
      path: `${ENTRY}/claims`,
      event: 'entry.claims.update',
      handle: (call) => replaceEntryClaims(context, call),
    },
  ];
}
