import { requireRole } from '../authz/decide.ts';
import type { DeclaredRegistry } from '../declared.ts';
import { readDeclarations, recordOf, SOURCE_RECORD } from '../declared-records.ts';
import { HttpError } from '../http/problem.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { RegistryService } from '../registry-service.ts';
import { kindOf, reportSource } from '../source-report.ts';
import type { AdminCall, AdminResult } from './admin-route.ts';
import { checkSourcePolicy } from './check-source-policy.ts';
import { checkChangeable, checkSubset, notDeclared } from './declared-access.ts';
import { readSourceBody } from './read-declaration.ts';

/**
 * `PUT /v1/sources/{n}` (contract 6): 201 for a new one, 200 for a changed one.
 * @throws HttpError 403 `role_missing`, `source_forbidden`, `source_config_owned`, `claims_not_subset`,
 *   `path_forbidden`, `address_forbidden`; 400 `source_invalid`, `source_kind_fixed`; 503 `store_unavailable`
 */
export async function putSource(
  service: RegistryService,
  overlay: Overlay,
  call: AdminCall,
): Promise<AdminResult> {
  const { identity, params } = call;
  const name = params.source ?? '';
  requireRole(identity, 'manageSources');
  const before = service.declarations.sources.get(name);
  if (before) checkChangeable(identity, 'source', before);
  else call.name({ type: 'source.create' });
  const { body } = call;
  const config = readSourceBody(name, body);
  if (before && kindOf(before.config) !== kindOf(config)) {
    const kind = kindOf(before.config);
    throw new HttpError(
      400,
      'source_kind_fixed',
      `The source is of kind ${kind}; delete it to make one of another kind.`,
    );
  }
  checkSubset(identity, config.claims);
  checkSourcePolicy(config, service.loaded);
  const now = Date.now();
  const createdAt = before?.createdAt ?? now;
  await overlay.store.putRecord(SOURCE_RECORD, name, recordOf({ ...asObject(body), name }, createdAt, now));
  const { sources, registries } = service.declarations;
  const after = { config, creationType: 'API', createdAt, updatedAt: now } as const;
  service.declare({ sources: new Map(sources).set(name, after), registries });
  const known = service.findSource(name);
  return {
    status: before ? 200 : 201,
    body: known ? reportSource(known) : {},
    headers: { Location: `/v1/sources/${name}` },
  };
}

/**
 * `DELETE /v1/sources/{n}`: what was published into it goes too.
 * @throws HttpError 403 `role_missing`, `source_forbidden`, `source_config_owned`; 404 `source_not_found`; 409
 *   `source_in_use` while a registry lists it
 */
export async function deleteSource(
  service: RegistryService,
  overlay: Overlay,
  call: AdminCall,
): Promise<AdminResult> {
  const name = call.params.source ?? '';
  requireRole(call.identity, 'manageSources');
  const before = service.declarations.sources.get(name);
  if (!before) throw notDeclared('source');
  checkChangeable(call.identity, 'source', before);
  const users = [...service.declarations.registries.values()].filter(({ config }) =>
    config.sources.includes(name),
  );
  if (users.length > 0) throw inUse(users);
  const stored = (await overlay.store.listRecords(SOURCE_RECORD)).find((record) => record.name === name);
  await overlay.store.deleteRecord(SOURCE_RECORD, name);
  // Another process of this registry may have linked it meanwhile: one of both sees what the other wrote.
  const { registries } = await readDeclarations(overlay.store);
  const linked = [...registries.values()].filter(({ config }) => config.sources.includes(name));
  if (stored && linked.length > 0) {
    await overlay.store.putRecord(SOURCE_RECORD, name, stored.json);
    throw inUse(linked);
  }
  if (before.config.managed) await overlay.dropSource(name);
  const sources = new Map(service.declarations.sources);
  sources.delete(name);
  service.declare({ sources, registries: service.declarations.registries });
  if (!before.config.managed) await service.forgetSource(name);
  return { status: 204 };
}

function inUse(users: readonly DeclaredRegistry[]): HttpError {
  const names = users.map(({ config }) => config.name).join(', ');
  return new HttpError(409, 'source_in_use', `The source is listed by ${names}; take it out there first.`);
}

function asObject(body: unknown): object {
  return typeof body === 'object' && body !== null ? body : {};
}
