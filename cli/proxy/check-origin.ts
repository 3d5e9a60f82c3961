import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopbackName } from '../../sources/net/address-guard.ts';
import type { Plan } from '../run/plan.ts';
import { formatHost } from './client-url.ts';
import { answerRpcError, RPC } from './rpc-answer.ts';

const METHODS = 'GET, POST, DELETE, OPTIONS';
const REQUEST_HEADERS = [
  'content-type',
  'authorization',
  'mcp-session-id',
  'mcp-protocol-version',
  'last-event-id',
  'mcp-method',
  'mcp-name',
];
const EXPOSED = 'Mcp-Session-Id, WWW-Authenticate';
/** How long a browser may remember a preflight, in seconds. */
const PREFLIGHT_AGE = '600';

/** Who may call by what names (contract 5 and 8, specification 4.1). */
export interface OriginRules {
  /** Lower-case `Host` values that are us; undefined when the bind is no loopback one and any name may be ours. */
  readonly hosts: ReadonlySet<string> | undefined;
  /** undefined: every origin but `null`. */
  readonly origins: ReadonlySet<string> | undefined;
}

/** Works the rules out for the port that is listened on. */
export function decideOriginRules({ host, allowedOrigins }: Plan['proxy'], port: number): OriginRules {
  const isLoopback = isLoopbackName(host.toLowerCase());
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
  const names = [...loopback, `${formatHost(host).toLowerCase()}:${port}`];
  // The default port is left out of Host and Origin.
  const hosts = port === 80 ? [...names, ...names.map((name) => name.replace(/:80$/, ''))] : names;
  const defaults = (port === 80 ? hosts : loopback).map((name) => `http://${name}`);
  return {
    hosts: isLoopback ? new Set(hosts) : undefined,
    origins:
      allowedOrigins !== undefined
        ? new Set(allowedOrigins)
        : isLoopback
          ? new Set([...defaults, `http://${formatHost(host).toLowerCase()}:${port}`])
          : undefined,
  };
}

/** Whether the request names us; a foreign name is what DNS rebinding shows itself by. */
export function isOurHost({ hosts }: OriginRules, request: IncomingMessage): boolean {
  return hosts === undefined || hosts.has((request.headers.host ?? '').toLowerCase());
}

/**
 * Checks `Host` and `Origin`, sets the CORS headers and answers preflights.
 *
 * @returns false when the request was answered here
 */
export function checkOrigin(rules: OriginRules, request: IncomingMessage, response: ServerResponse): boolean {
  if (!isOurHost(rules, request)) return refuse(response, 'Host not allowed');
  const { origin } = request.headers;
  if (origin !== undefined) {
    const isAllowed = rules.origins === undefined ? origin !== 'null' : rules.origins.has(origin);
    if (!isAllowed || origin === 'null') return refuse(response, 'Origin not allowed');
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', EXPOSED);
    response.setHeader('vary', 'Origin');
  }
  if (request.method !== 'OPTIONS') return true;
  if (origin !== undefined) {
    response.setHeader('access-control-allow-methods', METHODS);
    response.setHeader('access-control-allow-headers', listAllowedHeaders(request));
    response.setHeader('access-control-max-age', PREFLIGHT_AGE);
    if (request.headers['access-control-request-private-network'] === 'true') {
      response.setHeader('access-control-allow-private-network', 'true');
    }
  }
  response.writeHead(204, { allow: METHODS });
  response.end();
  return false;
}

/** The headers a page may send: those of MCP, and of the asked for those that mirror parameters of tools. */
function listAllowedHeaders(request: IncomingMessage): string {
  const asked = (request.headers['access-control-request-headers'] ?? '').split(',');
  const parameters = asked
    .map((name) => name.trim().toLowerCase())
    .filter((name) => /^mcp-param-[\w-]+$/.test(name));
  return [...REQUEST_HEADERS, ...parameters].join(', ');
}

function refuse(response: ServerResponse, message: string): false {
  answerRpcError(response, 403, { code: RPC.invalidRequest, message });
  return false;
}
