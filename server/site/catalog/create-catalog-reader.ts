import type { EntryType } from '../../../sources/model/entry.ts';
import type { Identity } from '../../auth/identity.ts';
import { matchRoute } from '../../consumer/route.ts';
import { HttpError } from '../../http/problem.ts';
import { findVersion } from '../../view/find-entry.ts';
import type { Found } from '../../view/query.ts';
import type { Sight } from '../../view/registry-view.ts';
import type { World } from '../../view/world.ts';
import type { CatalogReader } from '../catalog-reader.ts';
import type { Refusal } from '../site-locals.ts';
import { describeEntry } from './describe-entry.ts';
import { listCards } from './list-cards.ts';
import { makeRegistryCard } from './make-card.ts';
import { toRefusal, UNAUTHENTICATED } from './refuse-viewer.ts';

const DEFAULT_LIMIT = 24;
/** Text that no address can hold. */
const LONE_SURROGATE = /\p{Cs}/u;

export interface CatalogReaderOptions {
  /** What is served now. Asked for with every call: managed sources may only be read in their newest view. */
  readonly world: () => World;
  /** Who looks; undefined for who must sign in first. */
  readonly identity: Identity | undefined;
  /** Where clients reach this service, without a slash at the end. */
  readonly baseUrl: string;
}

/** Reads the catalog for one viewer: what the consumer API would give them, and nothing else. Cheap to make. */
export function createCatalogReader({ world, identity, baseUrl }: CatalogReaderOptions): CatalogReader {
  if (!identity) {
    const refuse = () => UNAUTHENTICATED;
    return { listRegistries: refuse, listEntries: refuse, readEntry: refuse };
  }
  const enter = (name: string): Sight => {
    const registry = world().registries.get(name);
    if (!registry) throw new HttpError(404, 'registry_not_found', 'There is no registry of this name.');
    if (registry.admits(identity)) return registry.sightOf(identity);
    throw new HttpError(403, 'registry_forbidden', 'Your claims do not give access to this registry.');
  };
  return {
    listRegistries: () =>
      [...world().registries.values()]
        .filter((registry) => registry.admits(identity))
        .map((registry) => makeRegistryCard(registry.sightOf(identity), baseUrl)),
    listEntries: (registry, filters, limit = DEFAULT_LIMIT) =>
      orRefusal(() => {
        const sight = enter(registry);
        return { registry: makeRegistryCard(sight, baseUrl), ...listCards(sight, filters, limit) };
      }),
    readEntry: (registry, type, name, version = 'latest') =>
      orRefusal(() => {
        const sight = enter(registry);
        const found = findEntry(sight, type, name, version);
        return describeEntry(sight, type, found, { baseUrl, needsLogin: !identity.anonymous });
      }),
  };
}

/** @throws HttpError what the API answers: 400 `name_invalid`, `version_invalid`, 404 `server_not_found`, … */
function findEntry(sight: Sight, type: EntryType, name: string, version: string): Found {
  if (LONE_SURROGATE.test(name + version)) throw missing(type);
  const collection = type === 'server' ? 'servers' : 'x/dev.toolhive/skills';
  const path =
    type === 'server' ? encodeURIComponent(name) : name.split('/').map(encodeURIComponent).join('/');
  // Whatever the API refuses to look for is refused in the same way.
  const route = matchRoute(`/v0.1/${collection}/${path}/versions/${encodeURIComponent(version)}`);
  if (route?.kind !== `${type}-version`) throw missing(type);
  const found = findVersion(sight, type, name, version, false);
  if (!found) throw missing(type);
  return found;
}

function missing(type: EntryType): HttpError {
  return new HttpError(
    404,
    `${type}_not_found`,
    `There is no such ${type}, or no such version of it, in this registry.`,
  );
}

function orRefusal<T>(read: () => T): T | Refusal {
  try {
    return read();
  } catch (error) {
    return toRefusal(error);
  }
}
