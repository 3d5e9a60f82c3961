import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listAdminRoutes } from '../../../server/admin/admin-routes.ts';
import { createApp } from '../../../server/app.ts';
import { readDeclarations } from '../../../server/declared-records.ts';
import { createLog } from '../../../server/observe/log.ts';
import { createMetrics } from '../../../server/observe/metrics.ts';
import { ADMIN_PATHS } from '../../../server/openapi/admin-paths.ts';
import { PUBLIC_PATHS } from '../../../server/openapi/public-paths.ts';
import { Overlay } from '../../../server/overlay/overlay.ts';
import { SqliteStore } from '../../../server/overlay/sqlite-store.ts';
import { RegistryService } from '../../../server/registry-service.ts';
import { loadConfig } from '../../../sources/config/load-config.ts';
import { createCompiler } from '../../../sources/sync/compiler.ts';

const CONFIG = {
  sources: [{ name: 'published', managed: {} }],
  registries: [{ name: 'public', sources: ['published'] }],
  auth: { mode: 'anonymous' },
};
/** Mounted, but for people or for browsers. */
const PAGES = ['GET /', 'GET /docs', 'GET /docs/', 'GET /docs/api', 'GET /docs/assets/{digest}/{file}'];
const UNLISTED = [...PAGES, 'GET /favicon.ico', 'OPTIONS /openapi.json'];

/** The service as it is wired, not started. */
async function wire() {
  const directory = mkdtempSync(join(tmpdir(), 'berth-routes-'));
  const file = join(directory, 'registry.config.yaml');
  writeFileSync(file, JSON.stringify(CONFIG));
  const loaded = await loadConfig(file);
  const store = await SqliteStore.open({ path: loaded.dataDir, configured: loaded.config.dataDir });
  const overlay = await Overlay.open(store);
  const ignore = () => {};
  const service = new RegistryService({
    loaded,
    overlay,
    api: await readDeclarations(store),
    compiler: createCompiler(),
    events: { onSynced: ignore, onFailed: ignore, onSwap: ignore, onTrouble: ignore },
  });
  onTestFinished(async () => {
    await service.close();
    await overlay.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { service, adminRoutes: listAdminRoutes(service, overlay) };
}

const asTemplate = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');

it('documents every row of the admin API, and no row that is not there', async () => {
  const { adminRoutes } = await wire();
  const mounted = adminRoutes.map(({ method, path }) => `${method} ${asTemplate(path)}`);
  const documented = ADMIN_PATHS.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(documented.sort()).toEqual(mounted.sort());
});

it('documents every route of the app, the pages aside', async () => {
  const { service, adminRoutes } = await wire();
  const app = createApp({
    runtime: () => {
      throw new Error('No request is made here.');
    },
    service,
    adminRoutes,
    log: createLog({ level: 'silent' }),
    metrics: createMetrics(),
    openapi: () => '{}',
    openSite: async () => undefined,
  });
  const mounted = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${asTemplate(path)}`)
    .map((route) =>
      route.replace(
        '/oauth-protected-resource/registry/{name}',
        '/oauth-protected-resource/registry/{registry}',
      ),
    );
  const documented = [...PUBLIC_PATHS, ...ADMIN_PATHS].map(
    ({ method, path }) => `${method.toUpperCase()} ${path}`,
  );
  expect([...new Set(mounted)].sort()).toEqual([...documented, ...UNLISTED].sort());
});
