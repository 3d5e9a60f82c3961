import { normalizeClaims } from '../../sources/model/claims.ts';
import type { Identity } from '../auth/identity.ts';
import { mayPass, mayWrite, requireRole } from '../authz/decide.ts';
import type { Declared, DeclaredRegistry } from '../declared.ts';
import { REGISTRY_RECORD, recordOf, SOURCE_RECORD } from '../declared-records.ts';
import { HttpError } from '../http/problem.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { RegistryService } from '../registry-service.ts';
import { kindOf, reportSource } from '../source-report.ts';
import type { AdminResult, AdminRoute } from './admin-route.ts';
import { checkSourcePolicy } from './check-source-policy.ts';
import { readRegistryBody, readSourceBody } from './read-declaration.ts';

type What = 'source' | 'registry';

/** Creating, updating and deleting sources and registries (specification 5.12, contract 6). */
export function listDeclareRoutes(service: RegistryService, overlay: Overlay): AdminRoute[] {
  const now = () => Date.now();

  const putSource = async (identity: Identity, name: string, body: unknown): Promise<AdminResult> => {
    const before = service.declarations.sources.get(name);
    checkExisting(identity, 'source', before);
    const config = readSourceBody(name, body);
    if (before && kindOf(before.config) !== kindOf(config)) {
      throw new HttpError(
        400,
        'source_kind_fixed',
        `The source is of kind ${kindOf(before.config)}; delete it to make one of another kind.`,
      );
    }
    checkSubset(identity, config.claims);
    checkSourcePolicy(config, service.loaded);
    const [createdAt, updatedAt] = [before?.createdAt ?? now(), now()];
    await overlay.store.putRecord(
      SOURCE_RECORD,
      name,
      recordOf({ ...asObject(body), name }, createdAt, updatedAt),
    );
    const { sources, registries } = service.declarations;
    service.declare({
      sources: new Map(sources).set(name, { config, creationType: 'API', createdAt, updatedAt }),
      registries,
    });
    const after = service.findSource(name);
    return {
      status: before ? 200 : 201,
      body: after ? reportSource(after) : {},
      headers: { Location: `/v1/sources/${name}` },
    };
  };

  const deleteSource = async (identity: Identity, name: string): Promise<AdminResult> => {
    const before = service.declarations.sources.get(name);
    checkDeletable(identity, 'source', before);
    const users = [...service.declarations.registries.values()].filter(({ config }) =>
      config.sources.includes(name),
    );
    if (users.length > 0) {
      const names = users.map(({ config }) => config.name).join(', ');
      throw new HttpError(409, 'source_in_use', `The source is listed by ${names}; take it out there first.`);
    }
    await overlay.store.deleteRecord(SOURCE_RECORD, name);
    if (before.config.managed) await overlay.dropSource(name);
    const sources = new Map(service.declarations.sources);
    sources.delete(name);
    service.declare({ sources, registries: service.declarations.registries });
    return { status: 204 };
  };

  const putRegistry = async (identity: Identity, name: string, body: unknown): Promise<AdminResult> => {
    const before = service.declarations.registries.get(name);
    checkExisting(identity, 'registry', before);
    const config = readRegistryBody(name, body);
    for (const source of config.sources) checkLinkable(identity, service, source);
    checkSubset(identity, config.claims);
    const [createdAt, updatedAt] = [before?.createdAt ?? now(), now()];
    await overlay.store.putRecord(REGISTRY_RECORD, name, recordOf(config, createdAt, updatedAt));
    const { sources, registries } = service.declarations;
    const after: DeclaredRegistry = { config, creationType: 'API', createdAt, updatedAt };
    service.declare({ sources, registries: new Map(registries).set(name, after) });
    return {
      status: before ? 200 : 201,
      body: reportRegistry(after),
      headers: { Location: `/v1/registries/${name}` },
    };
  };

  const deleteRegistry = async (identity: Identity, name: string): Promise<AdminResult> => {
    checkDeletable(identity, 'registry', service.declarations.registries.get(name));
    await overlay.store.deleteRecord(REGISTRY_RECORD, name);
    const registries = new Map(service.declarations.registries);
    registries.delete(name);
    service.declare({ sources: service.declarations.sources, registries });
    return { status: 204 };
  };

  const listSeen = (identity: Identity): DeclaredRegistry[] =>
    [...service.declarations.registries.values()].filter((registry) => isSeen(identity, registry));

  return [
    {
      method: 'PUT',
      path: '/v1/sources/:source',
      event: 'source.update',
      handle: (call) => {
        requireRole(call.identity, 'manageSources');
        return putSource(call.identity, call.params.source ?? '', call.body);
      },
    },
    {
      method: 'DELETE',
      path: '/v1/sources/:source',
      event: 'source.delete',
      handle: ({ identity, params }) => {
        requireRole(identity, 'manageSources');
        return deleteSource(identity, params.source ?? '');
      },
    },
    {
      method: 'GET',
      path: '/v1/registries',
      event: 'registry.list',
      handle: ({ identity }) => {
        requireRole(identity, 'manageRegistries');
        return { status: 200, body: { registries: listSeen(identity).map(reportRegistry) } };
      },
    },
    {
      method: 'GET',
      path: '/v1/registries/:registry',
      event: 'registry.read',
      handle: ({ identity, params }) => {
        requireRole(identity, 'manageRegistries');
        const registry = service.declarations.registries.get(params.registry ?? '');
        if (!registry || !isSeen(identity, registry)) throw unknown('registry');
        return { status: 200, body: reportRegistry(registry) };
      },
    },
    {
      method: 'PUT',
      path: '/v1/registries/:registry',
      event: 'registry.update',
      handle: (call) => {
        requireRole(call.identity, 'manageRegistries');
        return putRegistry(call.identity, call.params.registry ?? '', call.body);
      },
    },
    {
      method: 'DELETE',
      path: '/v1/registries/:registry',
      event: 'registry.delete',
      handle: ({ identity, params }) => {
        requireRole(identity, 'manageRegistries');
        return deleteRegistry(identity, params.registry ?? '');
      },
    },
  ];
}

/** A registry as the admin API shows it. */
export function reportRegistry({
  config,
  creationType,
  createdAt,
  updatedAt,
}: DeclaredRegistry): Record<string, unknown> {
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

function isSeen(
  identity: Identity,
  { config }: Declared<{ readonly claims?: Parameters<typeof normalizeClaims>[0] }>,
): boolean {
  return mayPass(identity, normalizeClaims(config.claims));
}

/** What exists may be changed by whoever sees it, unless the configuration file owns it. */
function checkExisting(
  identity: Identity,
  what: What,
  before: Parameters<typeof isSeen>[1] | undefined,
): void {
  if (!before) return;
  if (!isSeen(identity, before))
    throw new HttpError(403, `${what}_forbidden`, `Your claims do not give access to this ${what}.`);
  if (before.creationType === 'CONFIG') {
    throw new HttpError(
      403,
      `${what}_config_owned`,
      `This ${what} belongs to the configuration file and is changed there.`,
    );
  }
}

function checkDeletable<T extends Parameters<typeof isSeen>[1]>(
  identity: Identity,
  what: What,
  before: T | undefined,
): asserts before is T {
  if (!before) throw unknown(what);
  checkExisting(identity, what, before);
}

function checkSubset(identity: Identity, claims: Parameters<typeof normalizeClaims>[0]): void {
  if (mayWrite(identity, normalizeClaims(claims))) return;
  throw new HttpError(
    403,
    'claims_not_subset',
    'You can only set claims that you hold yourself, every value of them.',
  );
}

function checkLinkable(identity: Identity, service: RegistryService, name: string): void {
  const source = service.declarations.sources.get(name);
  if (!source)
    throw new HttpError(400, 'registry_invalid', `The registry is not valid: there is no source ${name}.`);
  if (!isSeen(identity, source))
    throw new HttpError(403, 'source_forbidden', `Your claims do not give access to the source ${name}.`);
}

function unknown(what: What): HttpError {
  return new HttpError(404, `${what}_not_found`, `There is no ${what} of this name.`);
}

function asObject(body: unknown): object {
  return typeof body === 'object' && body !== null ? body : {};
}
