import type { Context } from 'hono';
import type { AppEnv } from '../app-context.ts';
import { CORS_HEADERS } from '../http/cors.ts';
import { asWebResponse } from '../http/web-answer.ts';
import type { RegistryService } from '../registry-service.ts';
import type { Runtime } from '../runtime.ts';

/** `GET /registry`: the registries the caller can reach (contract 5). */
export function listRegistries(c: Context<AppEnv>, service: Pick<RegistryService, 'world'>): Response {
  const runtime = c.get('runtime');
  const identity = c.get('identity');
  const base = baseUrl(runtime, c.req.url);
  const registries = [...service.world.registries.values()]
    .filter((registry) => registry.admits(identity))
    .map(({ settings: { name, description } }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      url: `${base}/registry/${name}`,
    }));
  c.get('observed').happened = {
    route: '/registry',
    event: { type: 'registry.list', resourceType: 'registry' },
  };
  return asWebResponse({
    status: 200,
    body: JSON.stringify({ registries }),
    headers: {
      ...CORS_HEADERS,
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'private, no-cache',
      Vary: 'Authorization',
    },
  });
}

/** Where clients reach this service: as configured, else as they addressed it. */
export function baseUrl(runtime: Runtime, requestUrl: string): string {
  const { site, auth } = runtime.loaded.config;
  const configured = site.baseUrl ?? (auth?.mode === 'anonymous' ? undefined : auth?.oauth?.resourceUrl);
  return (configured ?? new URL(requestUrl).origin).replace(/\/+$/, '');
}
