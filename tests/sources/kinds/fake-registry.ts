import type { IncomingMessage, ServerResponse } from 'node:http';
import { startServer } from '../net/loopback-server.ts';

export const OFFICIAL = 'io.modelcontextprotocol.registry/official';

export interface Listed {
  readonly name: string;
  readonly version: string;
  readonly item: Record<string, unknown>;
  readonly updatedAt: string;
  readonly status: string;
}

export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly rawQuery: string;
  readonly authorization: string | undefined;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A registry of the v0.1 API on loopback whose content and manners a test decides. */
export interface FakeRegistry {
  readonly url: string;
  readonly asked: Asked[];
  servers: Listed[];
  /** undefined: there is no such path. */
  skills: Listed[] | undefined;
  pageSize: number;
  apiPath: string;
  /** Answers instead of the registry when it gives something; `drop` cuts the connection, `hang` never answers. */
  instead: (asked: Asked, count: number) => Reply | 'drop' | 'hang' | undefined;
  /** Whether the answers have a Date. */
  hasClock: boolean;
  countOf(path: string): number;
}

export function makeServer(
  name: string,
  version: string,
  updatedAt: string,
  more: { status?: string; server?: object; meta?: object } = {},
): Listed {
  const status = more.status ?? 'active';
  const official = { status, publishedAt: '2025-01-01T00:00:00.000Z', updatedAt, statusChangedAt: updatedAt };
  return {
    name,
    version,
    status,
    updatedAt,
    item: {
      server: { name, version, description: `About ${name}.`, ...more.server },
      _meta: { [OFFICIAL]: { ...official, isLatest: true }, ...more.meta },
    },
  };
}

export function makeSkill(namespace: string, name: string, version: string, updatedAt: string): Listed {
  const official = { status: 'active', publishedAt: updatedAt, updatedAt, isLatest: true };
  return {
    name: `${namespace}/${name}`,
    version,
    status: 'active',
    updatedAt,
    item: { namespace, name, version, description: `Does ${name}.`, _meta: { [OFFICIAL]: official } },
  };
}

export async function startRegistry(base = ''): Promise<FakeRegistry> {
  const asked: Asked[] = [];
  const { url } = await startServer((request, response) => {
    answer(registry, base, request, response);
  });
  const registry: FakeRegistry = {
    url: `${url}${base}`,
    asked,
    servers: [],
    skills: undefined,
    pageSize: 100,
    apiPath: '/v0.1',
    instead: () => undefined,
    hasClock: true,
    countOf: (path) => asked.filter((one) => one.path === `${base}${path}`).length,
  };
  return registry;
}

function answer(
  registry: FakeRegistry,
  base: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const { authorization } = request.headers;
  const one: Asked = {
    path: url.pathname,
    query: url.searchParams,
    rawQuery: url.search.slice(1),
    authorization,
  };
  registry.asked.push(one);
  response.sendDate = registry.hasClock;
  const instead = registry.instead(one, registry.asked.length);
  if (instead === 'drop') return void request.socket.destroy();
  if (instead === 'hang') return;
  const reply = instead ?? list(registry, base, one);
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
  response.end(reply.body ?? '{"error":"no"}');
}

function list(registry: FakeRegistry, base: string, { path, query }: Asked): Reply {
  const skillPath = `${base}${registry.apiPath}/x/dev.toolhive/skills`;
  if (path === `${base}${registry.apiPath}/servers`) {
    const since = query.get('updated_since');
    const all = since !== null || query.get('include_deleted') === 'true';
    const found = registry.servers.filter(
      ({ status, updatedAt }) =>
        (all || status !== 'deleted') && (since === null || Date.parse(updatedAt) >= Date.parse(since)),
    );
    return page(registry, 'servers', found, query);
  }
  const { skills } = registry;
  if (!skills || !path.startsWith(skillPath)) return { status: 404 };
  if (path === skillPath) {
    const names = [...new Set(skills.map(({ name }) => name))];
    const latest = names.flatMap((name) => skills.findLast((skill) => skill.name === name) ?? []);
    return page(registry, 'skills', latest, query);
  }
  const [, name] = /^\/(.+)\/versions$/.exec(decodeURIComponent(path.slice(skillPath.length))) ?? [];
  return page(
    registry,
    'skills',
    skills.filter((skill) => skill.name === name),
    query,
  );
}

function page(registry: FakeRegistry, member: string, found: Listed[], query: URLSearchParams): Reply {
  const limit = Math.min(registry.pageSize, Number(query.get('limit') ?? 30));
  const start = Number(/^a b\/c:(\d+)$/.exec(query.get('cursor') ?? 'a b/c:0')?.[1] ?? Number.NaN);
  if (Number.isNaN(start)) return { status: 400 };
  const items = found.slice(start, start + limit).map(({ item }) => item);
  const more = start + limit < found.length ? { nextCursor: `a b/c:${start + limit}` } : {};
  return {
    status: 200,
    body: JSON.stringify({ [member]: items, metadata: { count: items.length, ...more } }),
  };
}
