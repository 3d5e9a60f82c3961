import { LRUCache } from 'lru-cache';
import type { Identity } from '../auth/identity.ts';
import type { Answer, PlainRequest } from '../http/answer.ts';
import { CORS_HEADERS, PREFLIGHT_HEADERS } from '../http/cors.ts';
import { HttpError } from '../http/problem.ts';
import { Rendered } from '../http/rendered.ts';
import { SECURITY_HEADERS } from '../http/security-headers.ts';
import type { AuditType } from '../observe/audit-event.ts';
import { type Happened, type Observed, OTHER_ROUTE } from '../observe/observed.ts';
import { findVersion, listVersions } from '../view/find-entry.ts';
import { listEntries } from '../view/list-entries.ts';
import type { Found } from '../view/query.ts';
import type { Sight } from '../view/registry-view.ts';
import type { World } from '../view/world.ts';
import { encodeCursor } from './cursor.ts';
import { readIncludeDeleted, readListQuery } from './list-parameters.ts';
import { basisOf, type PageBasis, type PageScope, stillHolds } from './page-scope.ts';
import { type ConsumerRoute, matchRoute, ROUTE_TEMPLATES } from './route.ts';
import { findSkillFile, writeSkillIndex } from './skill-discovery.ts';
import { writeItem, writeList } from './write-items.ts';

export const REGISTRY_PREFIX = '/registry/';
const JSON_TYPE = 'application/json; charset=utf-8';
const ALLOWED = 'GET, HEAD, OPTIONS';
const CACHE_BYTES = 64 * 1024 * 1024;

export interface ConsumerSettings {
  readonly world: () => World;
  readonly maxPageSize: number;
  /** Anonymous mode: shared caches may keep answers. */
  readonly isPublic: boolean;
}

interface Page {
  readonly rendered: Rendered;
  readonly happened: Happened;
  readonly scope: PageScope;
  /** The sight it was last found to hold for, and what that was made of. */
  sight: number;
  basis: readonly PageBasis[];
}

interface Made {
  readonly rendered: Rendered;
  readonly scope: PageScope;
}

/**
 * The consumer API (contract 5). Order of checks: registry exists 404, gate 403, then 400, 404, 405 (contract 12.10);
 * authentication is behind us. A page is rendered once for all callers who see the same.
 */
export class Consumer {
  readonly #settings: ConsumerSettings;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #pages = new LRUCache<string, Page>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (page) => page.rendered.weight,
  });

  constructor(settings: ConsumerSettings) {
    this.#settings = settings;
    this.#headers = {
      ...SECURITY_HEADERS,
      ...CORS_HEADERS,
      Vary: 'Authorization, Accept-Encoding',
      'Cache-Control': settings.isPublic ? 'public, no-cache' : 'private, no-cache',
    };
  }

  /** @throws HttpError for everything that is not an answer of the API */
  handle(request: PlainRequest, identity: Identity, observed: Observed): Answer {
    const { path, query } = request;
    const end = path.indexOf('/', REGISTRY_PREFIX.length);
    const name = path.slice(REGISTRY_PREFIX.length, end < 0 ? undefined : end);
    const rest = end < 0 ? '' : path.slice(end);
    observed.happened = {
      route: OTHER_ROUTE,
      event: { type: 'registry.read', registry: name, resourceType: 'registry', resourceName: name },
    };
    const sight = this.#admit(name, identity);
    const key = `${sight.key}${rest}?${query}`;
    const page = this.#recall(sight, key) ?? this.#render(sight, rest, query, key, observed);
    observed.happened = page.happened;
    if (request.method !== 'GET' && request.method !== 'HEAD') throw notAllowed();
    return page.rendered.answer(request.header('accept-encoding'), request.header('if-none-match'));
  }

  #recall(sight: Sight, key: string): Page | undefined {
    const page = this.#pages.get(key);
    if (!page || page.sight === sight.id) return page;
    if (!stillHolds(page.scope, page.basis, sight)) return undefined;
    page.sight = sight.id;
    page.basis = basisOf(sight);
    return page;
  }

  #admit(name: string, identity: Identity): Sight {
    const registry = this.#settings.world().registries.get(name);
    if (!registry) throw new HttpError(404, 'registry_not_found', 'There is no registry of this name.');
    if (!registry.admits(identity)) {
      throw new HttpError(403, 'registry_forbidden', 'Your claims do not give access to this registry.');
    }
    return registry.sightOf(identity);
  }

  #render(sight: Sight, rest: string, query: string, key: string, observed: Observed): Page {
    const route = matchRoute(rest);
    if (!route) throw new HttpError(404, 'route_not_found', 'There is nothing at this path.');
    const happened = describe(route, sight.registry.settings.name);
    observed.happened = happened;
    const made = this.#renderRoute(sight, route, query);
    const page = { happened, ...made, sight: sight.id, basis: basisOf(sight) };
    this.#pages.set(key, page);
    return page;
  }

  #renderRoute(sight: Sight, route: ConsumerRoute, query: string): Made {
    switch (route.kind) {
      case 'servers':
        return this.#renderList(sight, 'server', query);
      case 'skills':
        return this.#renderList(sight, 'skill', query);
      case 'server-versions':
        return this.#renderVersions(sight, 'server', route.name, query);
      case 'skill-versions':
        return this.#renderVersions(sight, 'skill', route.name, query);
      case 'server-version':
        return this.#renderVersion(sight, 'server', route.name, route.version, query);
      case 'skill-version':
        return this.#renderVersion(sight, 'skill', route.name, route.version, query);
      case 'skill':
        return this.#renderVersion(sight, 'skill', route.name, 'latest', query);
      case 'skill-index':
        return {
          rendered: this.#rendered(sight, Buffer.from(writeSkillIndex(sight))),
          scope: { type: 'skill' },
        };
      case 'skill-file':
        return this.#renderFile(sight, route.file);
    }
  }

  #renderList(sight: Sight, type: 'server' | 'skill', rawQuery: string): Made {
    const query = readListQuery(rawQuery, type, this.#settings.maxPageSize);
    const page = listEntries(sight, query);
    const body = writeList(type === 'server' ? 'servers' : 'skills', page, (after) =>
      encodeCursor({ filters: query, after }),
    );
    const from = query.after?.name;
    const range = {
      ...(from === undefined ? {} : { from }),
      ...(page.reach === undefined ? {} : { to: page.reach }),
    };
    // Any entry may come to be among the best.
    const scope = query.search === undefined ? { type, ...range } : { type };
    return { rendered: this.#rendered(sight, body), scope };
  }

  #renderVersions(sight: Sight, type: 'server' | 'skill', name: string, query: string): Made {
    const items = listVersions(sight, type, name, readIncludeDeleted(query));
    if (items.length === 0) throw notFound(type);
    const body = writeList(type === 'server' ? 'servers' : 'skills', { items }, () => '');
    return { rendered: this.#rendered(sight, body), scope: { type, from: name, to: name } };
  }

  #renderVersion(sight: Sight, type: 'server' | 'skill', name: string, version: string, query: string): Made {
    const found: Found | undefined = findVersion(sight, type, name, version, readIncludeDeleted(query));
    if (!found) throw notFound(type);
    return { rendered: this.#rendered(sight, writeItem(found)), scope: { type, from: name, to: name } };
  }

  #renderFile(sight: Sight, file: string): Made {
    const artifact = findSkillFile(sight, file);
    if (!artifact)
      throw new HttpError(404, 'skill_file_not_found', 'The discovery index lists no such file.');
    const rendered = new Rendered(Buffer.from(artifact.bytes), {
      contentType: artifact.type === 'skill-md' ? 'text/markdown; charset=utf-8' : 'application/gzip',
      lastModified: sight.lastModified,
      headers: this.#headers,
      compressible: artifact.type === 'skill-md',
    });
    return { rendered, scope: { type: 'skill' } };
  }

  #rendered(sight: Sight, body: Buffer): Rendered {
    return new Rendered(body, {
      contentType: JSON_TYPE,
      lastModified: sight.lastModified,
      headers: this.#headers,
    });
  }
}

/** Answers a preflight; needs no token (contract 12.10). */
export function answerPreflight(): Answer {
  return {
    status: 204,
    headers: { ...SECURITY_HEADERS, ...CORS_HEADERS, ...PREFLIGHT_HEADERS, Allow: ALLOWED },
  };
}

function notFound(type: 'server' | 'skill'): HttpError {
  return new HttpError(
    404,
    `${type}_not_found`,
    `There is no such ${type}, or no such version of it, in this registry.`,
  );
}

function notAllowed(): HttpError {
  return new HttpError(405, 'method_not_allowed', 'The consumer API is read-only.', {
    headers: { Allow: ALLOWED },
  });
}

const EVENTS: Readonly<Record<ConsumerRoute['kind'], AuditType>> = {
  servers: 'server.list',
  'server-versions': 'server.versions.list',
  'server-version': 'server.read',
  skills: 'skill.list',
  skill: 'skill.read',
  'skill-versions': 'skill.versions.list',
  'skill-version': 'skill.read',
  'skill-index': 'skill.list',
  'skill-file': 'skill.read',
};

function describe(route: ConsumerRoute, registry: string): Happened {
  const resourceName = 'name' in route ? route.name : undefined;
  const event = {
    type: EVENTS[route.kind],
    registry,
    resourceType: route.kind.startsWith('server') ? 'server' : 'skill',
    resourceName,
    version: 'version' in route ? route.version : undefined,
  };
  return { route: ROUTE_TEMPLATES[route.kind], event };
}
