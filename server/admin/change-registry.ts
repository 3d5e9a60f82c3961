import type { Identity } from '../auth/identity.ts';
import { requireRole } from '../authz/decide.ts';
import type { DeclaredRegistry } from '../declared.ts';
import { REGISTRY_RECORD, recordOf, SOURCE_RECORD } from '../declared-records.ts';
import { HttpError } from '../http/problem.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { RegistryService } from '../registry-service.ts';
import type { AdminCall, AdminResult } from './admin-route.ts';
import { checkChangeable, checkSubset, notDeclared, seesDeclared } from './declared-access.ts';
import { readRegistryBody } from './read-declaration.ts';

/**
 * `PUT /v1/registries/{n}` (contract 6): 201 for a new one, 200 for a changed one.
 * @throws HttpError 403 `role_missing`, `registry_forbidden`, `registry_config_owned`, `source_forbidden`,
 *   `claims_not_subset`; 400 `registry_invalid`; 503 `store_unavailable`
 */
export async function putRegistry(
  service: RegistryService,
  overlay: Overlay,
  call: AdminCall,
): Promise<AdminResult> {
  const { identity, params } = call;
  const name = params.registry ?? '';
  requireRole(identity, 'manageRegistries');
  const before = service.declarations.registries.get(name);
  if (before) checkChangeable(identity, 'registry', before);
  else call.name({ type: 'registry.create' });
  const config = readRegistryBody(name, call.body);
  for (const source of config.sources) checkLinkable(identity, service, source);
  checkSubset(identity, config.claims);
  const now = Date.now();
  const after: DeclaredRegistry = {
    config,
    creationType: 'API',
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  await overlay.store.putRecord(REGISTRY_RECORD, name, recordOf(config, after.createdAt, now));
  // Another process of this registry may have deleted one meanwhile: one of both sees what the other wrote.
  const stored = await overlay.store.listRecords(SOURCE_RECORD);
  const gone = config.sources.find(
    (source) => isMadeThroughApi(service, source) && !stored.some((record) => record.name === source),
  );
  if (gone !== undefined) {
    if (before) {
      const json = recordOf(before.config, before.createdAt, before.updatedAt);
      await overlay.store.putRecord(REGISTRY_RECORD, name, json);
    } else {
      await overlay.store.deleteRecord(REGISTRY_RECORD, name);
    }
    throw noSource(gone);
  }
  const { sources, registries } = service.declarations;
  service.declare({ sources, registries: new Map(registries).set(name, after) });
  return {
    status: before ? 200 : 201,
    body: reportRegistry(after),
    headers: { Location: `/v1/registries/${name}` },
  };
}

/**
 * `DELETE /v1/registries/{n}`.
 * @throws HttpError 403 `role_missing`, `registry_forbidden`, `registry_config_owned`; 404 `registry_not_found`
 */
export async function deleteRegistry(
  service: RegistryService,
  overlay: Overlay,
  call: AdminCall,
): Promise<AdminResult> {
  const name = call.params.registry ?? '';
  requireRole(call.identity, 'manageRegistries');
  const before = service.declarations.registries.get(name);
  if (!before) throw notDeclared('registry');
  checkChangeable(call.identity, 'registry', before);
  await overlay.store.deleteRecord(REGISTRY_RECORD, name);
  const registries = new Map(service.declarations.registries);
  registries.delete(name);
  service.declare({ sources: service.declarations.sources, registries });
  return { status: 204 };
}

/** A registry as the admin API shows it. */
export function reportRegistry(registry: DeclaredRegistry): Record<string, unknown> {
  const { config, creationType, createdAt, updatedAt } = registry;
  const { name, description, claims, sources } = config;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    creationType,
    sources,
    claims: claims ?? {},
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

function isMadeThroughApi(service: RegistryService, source: string): boolean {
  return service.declarations.sources.get(source)?.creationType !== 'CONFIG';
}

function noSource(name: string): HttpError {
  return new HttpError(400, 'registry_invalid', `The registry is not valid: there is no source ${name}.`);
}

/** Linking a source into a registry needs sight of the source (specification 5.8). */
function checkLinkable(identity: Identity, service: RegistryService, name: string): void {
  const source = service.declarations.sources.get(name);
  if (!source) throw noSource(name);
  if (!seesDeclared(identity, source)) {
    throw new HttpError(403, 'source_forbidden', `Your claims do not give access to the source ${name}.`);
  }
}
