import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plan } from '../run/plan.ts';
import { choosePath } from './client-url.ts';
import type { Backend } from './exchange.ts';
import { findResourceUrl } from './resource-url.ts';
import { answerJson } from './rpc-answer.ts';

/** Where the document of RFC 9728 is served. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** `/health`: 200 as long as the proxy runs, with what is known of the server (contract 8). */
export function answerHealth(response: ServerResponse, plan: Plan, backend: Backend): void {
  const available = backend.isAvailable?.() ?? true;
  const body = {
    status: available ? 'healthy' : 'degraded',
    name: plan.name,
    transport: plan.transport,
    server: { available },
  };
  answerJson(response, 200, JSON.stringify(body));
}

/** Whether a path is one of the metadata document: the root one, or one with a path inserted: ours, or that
 * of `--resource-url` (contract 8). */
export function isMetadataPath(path: string, plan: Plan): boolean {
  if (!path.startsWith(METADATA_PATH)) return false;
  const { resourceUrl = '' } = plan.oidc ?? {};
  const resource = URL.canParse(resourceUrl) ? new URL(resourceUrl).pathname : '';
  return ['', '/mcp', choosePath(plan), resource].includes(path.slice(METADATA_PATH.length));
}

/** The document of RFC 9728, which any page may read (contract 5 and 8). 404 while the proxy checks no tokens. */
export function answerMetadata(request: IncomingMessage, response: ServerResponse, plan: Plan): void {
  response.setHeader('access-control-allow-origin', '*');
  if (request.method === 'OPTIONS') {
    response.writeHead(204, {
      'access-control-allow-methods': 'GET, OPTIONS',
      'access-control-allow-headers': 'content-type, mcp-protocol-version, authorization',
    });
    response.end();
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    answerMethod(response, 'GET, OPTIONS');
    return;
  }
  const { oidc } = plan;
  if (oidc === undefined) {
    answerNotFound(response);
    return;
  }
  const body = {
    resource: findResourceUrl(request, plan),
    ...(oidc.issuer === undefined ? {} : { authorization_servers: [oidc.issuer] }),
    scopes_supported: oidc.scopes,
    bearer_methods_supported: ['header'],
  };
  answerJson(response, 200, JSON.stringify(body), { 'cache-control': 'max-age=60' });
}

export function answerNotFound(response: ServerResponse): void {
  answerJson(response, 404, '{"error":"not_found","message":"There is nothing at this path."}');
}

/** 405 with the methods there are. */
export function answerMethod(response: ServerResponse, allow: string): void {
  answerJson(response, 405, '{"error":"method_not_allowed","message":"The method is not allowed here."}', {
    allow,
  });
}
