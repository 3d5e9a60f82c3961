import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listAdminRoutes } from '../../../server/admin/admin-routes.ts';
import type { Identity } from '../../../server/auth/identity.ts';
import { readDeclarations } from '../../../server/declared-records.ts';
import { HttpError } from '../../../server/http/problem.ts';
import { Overlay } from '../../../server/overlay/overlay.ts';
import { SqliteStore } from '../../../server/overlay/sqlite-store.ts';
import { RegistryService } from '../../../server/registry-service.ts';
import { loadConfig } from '../../../sources/config/load-config.ts';
import { createCompiler } from '../../../sources/sync/compiler.ts';
import { proves } from '../../requirements/proves.ts';
import { makeIdentity } from '../../support/make-identity.ts';
import { server } from './entry-fixture.ts';

const CLAIMS = { owner: 'ada' };
const roles = ['manageSources', 'manageRegistries', 'manageEntries'] as const;
const owner = makeIdentity(CLAIMS, { roles: [...roles] });
const outsider = makeIdentity({ owner: 'bob' }, { roles: [...roles] });
const CONFIG = {
  sources: [
    {
      name: 'hidden',
      file: { data: { servers: [server('io.hidden/synced')] } },
      syncPolicy: { interval: '1h' },
      claims: CLAIMS,
    },
    { name: 'managed', managed: {}, claims: CLAIMS },
  ],
  registries: [{ name: 'hidden', sources: ['hidden', 'managed'], claims: CLAIMS }],
  auth: { mode: 'anonymous' },
};

let call: (as: Identity, line: string, body?: unknown) => Promise<{ status: number; said: string }>;
let end: () => Promise<void>;
beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'berth-admin-'));
  const file = join(directory, 'registry.config.yaml');
  writeFileSync(file, JSON.stringify(CONFIG));
  const loaded = await loadConfig(file);
  const store = await SqliteStore.open({ path: loaded.dataDir, configured: loaded.config.dataDir });
  const overlay = await Overlay.open(store);
  const nothing = () => undefined;
  const service = new RegistryService({
    loaded,
    overlay,
    api: await readDeclarations(store),
    compiler: createCompiler(),
    events: { onSwap: nothing, onSynced: nothing, onFailed: nothing, onTrouble: nothing },
  });
  await service.start();
  await vi.waitFor(() => expect(service.world.segments.has('hidden')).toBe(true), 10_000);
  const routes = listAdminRoutes(service, overlay);
  end = async () => {
    await service.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  };
  call = async (identity, line, body) => {
    const [method, target = ''] = line.split(' ');
    const [path = '', query = ''] = target.split('?');
    const segments = path.split('/');
    for (const route of routes) {
      const pattern = route.path.split('/');
      const fits = pattern.every((part, at) => part.startsWith(':') || part === segments[at]);
      if (route.method !== method || pattern.length !== segments.length || !fits) continue;
      const named = pattern.map(
        (part, at) => [part.slice(1), decodeURIComponent(segments[at] ?? '')] as const,
      );
      const params = Object.fromEntries(named.filter((_, at) => pattern[at]?.startsWith(':')));
      try {
        const asked = { identity, params, query: new Map(new URLSearchParams(query)), body, name: nothing };
        return { status: (await route.handle(asked)).status, said: '' };
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        return {
          status: error.status,
          said: `${error.code} ${error.message} ${JSON.stringify(error.headers)}`,
        };
      }
    }
    throw new Error(`no route for ${line}`);
  };
  await call(owner, 'POST /v1/entries', { server: server('io.hidden/one'), claims: CLAIMS });
});
afterAll(() => end());

const VERSION = '/v1/entries/server/io.hidden%2Fone/versions/1.0.0';

describe('what the caller cannot see', () => {
  it.each([
    'GET /v1/sources/hidden',
    'GET /v1/sources/hidden/entries',
    'GET /v1/sources/hidden/bundles',
    'GET /v1/registries/hidden',
    'GET /v1/registries/hidden/entries',
    `GET ${VERSION}`,
  ])(`${proves('C-6-02', 'C-6-05', 'C-6-24', 'S-4-18', 'S-4-20', 'S-4-22', 'S-5.12-02', 'S-5.12-03', 'S-7-13')} is not there for %s`, async (line) => {
    const refused = await call(outsider, line);
    const unknown = await call(outsider, line.replace('hidden', 'unknown'));
    expect(refused.status).toBe(404);
    expect(refused).toEqual(unknown);
    expect(refused.said).not.toMatch(/ada|owner/);
    expect((await call(owner, line)).status).toBe(200);
  });

  const source = { managed: {}, claims: { owner: 'bob' } };
  it.each<[line: string, body?: unknown]>([
    ['PUT /v1/sources/hidden', source],
    ['DELETE /v1/sources/hidden'],
    ['POST /v1/sources/hidden/sync'],
    ['POST /v1/sources/hidden/rollback', { hash: 'abc' }],
    ['PUT /v1/registries/hidden', { sources: ['managed'], claims: { owner: 'bob' } }],
    ['DELETE /v1/registries/hidden'],
    ['PUT /v1/registries/mine', { sources: ['hidden'], claims: { owner: 'bob' } }],
    ['POST /v1/entries?source=managed', { server: server('io.bob/one'), claims: { owner: 'bob' } }],
    [`DELETE ${VERSION}`],
    [`PATCH ${VERSION}`, { status: 'deleted' }],
    ['PUT /v1/entries/server/io.hidden%2Fone/claims', { claims: { owner: 'bob' } }],
  ])(`${proves('C-6-03', 'C-6-05', 'C-6-17', 'C-6-36', 'S-5.8-04', 'S-5.8-05', 'S-5.12-05', 'S-5.12-07')} is not changed by %s`, async (line, body) => {
    const refused = await call(outsider, line, body);
    expect(refused.status).toBe(403);
    expect(refused.said).toMatch(/^\w+_forbidden /);
    expect(refused.said).not.toMatch(/ada|owner/);
    expect((await call(owner, `GET ${VERSION}`)).status).toBe(200);
    expect((await call(owner, 'GET /v1/sources/hidden')).status).toBe(200);
    expect((await call(owner, 'GET /v1/registries/hidden')).status).toBe(200);
  });

  it(`${proves('S-5.8-04', 'S-5.8-05')} is linked and published into by who sees it`, async () => {
    const registry = { sources: ['hidden'], claims: CLAIMS };
    expect((await call(owner, 'PUT /v1/registries/mine', registry)).status).toBe(201);
    const entry = { server: server('io.hidden/two'), claims: CLAIMS };
    expect((await call(owner, 'POST /v1/entries?source=managed', entry)).status).toBe(201);
  });
});
