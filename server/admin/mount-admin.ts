import type { Hono } from 'hono';
import type { AppEnv } from '../app-context.ts';
import { decodePath } from '../http/decode-path.ts';
import { parseJsonBody } from '../http/parse-json-body.ts';
import { parseQuery } from '../http/parse-query.ts';
import { HttpError } from '../http/problem.ts';
import { readBody } from '../http/read-body.ts';
import { asWebRequest, asWebResponse } from '../http/web-answer.ts';
import type { AdminCall, AdminResult, AdminRoute } from './admin-route.ts';

/** Mounts the rows of the admin API; other methods on their paths are 405 with `Allow`. */
export function mountAdmin(app: Hono<AppEnv>, routes: readonly AdminRoute[]): void {
  for (const route of routes) {
    app.on(route.method, route.path, async (c) => {
      const params = readParams(route.path, asWebRequest(c.req.raw).path);
      c.get('observed').happened = {
        route: route.path.replaceAll(/:(\w+)/g, '{$1}'),
        event: { type: route.event, ...nameResource(route, params) },
      };
      const bytes = hasBody(route)
        ? await readBody(c.req.raw, c.get('runtime').loaded.config.limits.maxBodyBytes)
        : undefined;
      const { happened } = c.get('observed');
      if (happened.event && bytes) happened.event = { ...happened.event, requestBody: bytes };
      const observed = c.get('observed');
      const call: AdminCall = {
        identity: c.get('identity'),
        params,
        query: parseQuery(asWebRequest(c.req.raw).query),
        // Read when it is asked for, so that a missing role is said before a broken body (contract 6).
        get body() {
          return bytes && parseJsonBody(bytes, c.req.header('content-type'));
        },
        name: (more) => {
          const { route: label, event } = observed.happened;
          observed.happened = { route: label, ...(event ? { event: { ...event, ...more } } : {}) };
        },
      };
      return asResponse(await route.handle(call));
    });
  }
  for (const [path, methods] of methodsByPath(routes)) {
    app.all(path, () => {
      const allow = methods.includes('GET')
        ? ['GET', 'HEAD', ...methods.filter((method) => method !== 'GET')]
        : methods;
      throw new HttpError(405, 'method_not_allowed', 'This path does not answer to that method.', {
        headers: { Allow: allow.join(', ') },
      });
    });
  }
}

function asResponse({ status, body, headers }: AdminResult): Response {
  if (body === undefined) return new Response(null, { status, headers: { ...headers } });
  const ready = typeof body === 'string' || body instanceof Uint8Array;
  return asWebResponse({
    status,
    body: ready ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
  });
}

function hasBody(route: AdminRoute): boolean {
  return route.method === 'POST' || route.method === 'PUT' || route.method === 'PATCH';
}

/** The framework decodes leniently; names decide on access, so they are decoded strictly from the raw path. */
function readParams(pattern: string, rawPath: string): Record<string, string> {
  const values = decodePath(rawPath);
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.slice(1).split('/').entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = values[index] ?? '';
  }
  return params;
}

function nameResource(route: AdminRoute, params: Record<string, string>): Record<string, string> {
  const { source, registry, type, name, version } = params;
  if (name !== undefined)
    return { resourceType: type ?? '', resourceName: name, ...(version ? { version } : {}) };
  if (source !== undefined) return { resourceType: 'source', resourceName: source };
  if (registry !== undefined) return { resourceType: 'registry', resourceName: registry, registry };
  return route.event.startsWith('source.') ? { resourceType: 'source' } : {};
}

function methodsByPath(routes: readonly AdminRoute[]): Map<string, string[]> {
  const byPath = new Map<string, string[]>();
  for (const { path, method } of routes) byPath.set(path, [...(byPath.get(path) ?? []), method]);
  return byPath;
}
