import { z } from 'zod';
import type { Identity } from '../auth/identity.ts';
import { requireRole } from '../authz/decide.ts';
import { HttpError } from '../http/problem.ts';
import type { RegistryService } from '../registry-service.ts';
import { type KnownSource, reportSource, reportStatus } from '../source-report.ts';
import type { AdminRoute } from './admin-route.ts';
import { notDeclared, seesDeclared } from './declared-access.ts';
import { listRegistryEntries, listSourceEntries } from './list-raw-entries.ts';
import { pageDeclared } from './page-declared.ts';

const rollbackSchema = z.strictObject({ hash: z.string().min(1) });

/** Reading, syncing and rolling back sources (contract 6). What the caller cannot see is 404 to read, 403 to change. */
export function listSourceRoutes(service: RegistryService): AdminRoute[] {
  const findForRead = (identity: Identity, name: string | undefined): KnownSource => {
    requireRole(identity, 'manageSources');
    const source = service.findSource(name ?? '');
    if (!source || !seesDeclared(identity, source)) throw notDeclared('source');
    return source;
  };
  const findForChange = (identity: Identity, name: string | undefined): KnownSource => {
    requireRole(identity, 'manageSources');
    const source = service.findSource(name ?? '');
    if (!source) throw notDeclared('source');
    if (!seesDeclared(identity, source))
      throw new HttpError(403, 'source_forbidden', 'Your claims do not give access to this source.');
    return source;
  };
  return [
    {
      method: 'GET',
      path: '/v1/sources',
      event: 'source.list',
      handle: ({ identity, query }) => {
        requireRole(identity, 'manageSources');
        const seen = service.listSources().filter((source) => seesDeclared(identity, source));
        const { maxPageSize } = service.loaded.config.limits;
        const page = pageDeclared('sources', seen, ({ config }) => config.name, query, maxPageSize);
        return { status: 200, body: { sources: page.items.map(reportSource), metadata: page.metadata } };
      },
    },
    {
      method: 'GET',
      path: '/v1/sources/:source',
      event: 'source.read',
      handle: ({ identity, params }) => ({
        status: 200,
        body: reportSource(findForRead(identity, params.source)),
      }),
    },
    {
      method: 'POST',
      path: '/v1/sources/:source/sync',
      event: 'source.sync',
      handle: async ({ identity, params }) => {
        const { config } = findForChange(identity, params.source);
        return { status: 202, body: reportStatus(await service.requestSync(config.name)) };
      },
    },
    {
      method: 'GET',
      path: '/v1/sources/:source/entries',
      event: 'source.entries.list',
      handle: ({ identity, params, query }) => {
        const { name } = findForRead(identity, params.source).config;
        const { maxPageSize } = service.loaded.config.limits;
        return {
          status: 200,
          body: listSourceEntries(name, service.world.segments.get(name), query, maxPageSize),
        };
      },
    },
    {
      method: 'GET',
      path: '/v1/registries/:registry/entries',
      event: 'registry.entries.list',
      handle: ({ identity, params, query }) => {
        requireRole(identity, 'manageRegistries');
        const view = service.world.registries.get(params.registry ?? '');
        if (!view?.admits(identity))
          throw new HttpError(404, 'registry_not_found', 'There is no registry of this name.');
        const { maxPageSize } = service.loaded.config.limits;
        return {
          status: 200,
          body: listRegistryEntries(view.settings.name, view.segments, query, maxPageSize),
        };
      },
    },
    {
      method: 'GET',
      path: '/v1/sources/:source/bundles',
      event: 'source.bundles.list',
      handle: async ({ identity, params }) => {
        const { config } = findForRead(identity, params.source);
        return { status: 200, body: { bundles: await service.listBundles(config.name) } };
      },
    },
    {
      method: 'POST',
      path: '/v1/sources/:source/rollback',
      event: 'source.rollback',
      handle: async (call) => {
        const { config } = findForChange(call.identity, call.params.source);
        const parsed = rollbackSchema.safeParse(call.body);
        if (!parsed.success)
          throw new HttpError(
            400,
            'body_invalid',
            'The body must be {"hash": "the start of a bundle hash"}.',
          );
        await service.rollback(config.name, parsed.data.hash);
        const after = service.findSource(config.name);
        return { status: 200, body: after ? reportSource(after) : {} };
      },
    },
  ];
}
