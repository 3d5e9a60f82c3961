import type { IncomingMessage } from 'node:http';
import type { Plan } from '../run/plan.ts';

type AddressPlan = Pick<Plan, 'proxy' | 'transport' | 'server'>;

/** A host as it stands in a URL. An address that means every interface is none a client can call: loopback instead. */
export function formatHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::' || host === '[::]') return '[::1]';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** The path clients use: of the remote, `/sse` for SSE, else `/mcp` (contract 5). */
export function choosePath({ proxy, transport, server }: AddressPlan): string {
  const usual = transport === 'sse' || (transport === 'stdio' && proxy.mode === 'sse') ? '/sse' : '/mcp';
  if (server.kind !== 'remote') return usual;
  const { pathname } = new URL(server.url);
  return pathname === '/' ? usual : pathname;
}

/** What clients are told (contract 5), without a query. */
export function formatClientUrl(plan: AddressPlan, port: number): string {
  return `http://${formatHost(plan.proxy.host)}:${port}${choosePath(plan)}`;
}

/** Where a client believes us to be. */
export interface PublicPlace {
  /** `http://host:port` */
  readonly origin: string;
  /** Path in front of ours; empty for none. */
  readonly prefix: string;
  /** True when it came from `X-Forwarded-*`. */
  readonly isForwarded: boolean;
}

/**
 * Where a request came to, as its sender knows the place: by `X-Forwarded-Proto`, `-Host`, `-Port` and `-Prefix` when
 * these are trusted (specification 4.1), else the address that is listened on.
 */
export function findPublicPlace(request: IncomingMessage, proxy: AddressPlan['proxy']): PublicPlace {
  const port = request.socket.localPort ?? proxy.port ?? 80;
  const own = `${formatHost(proxy.host)}:${port}`;
  if (!proxy.trustProxyHeaders) return { origin: `http://${own}`, prefix: '', isForwarded: false };
  const scheme = firstOf(request, 'x-forwarded-proto')?.toLowerCase();
  const host = firstOf(request, 'x-forwarded-host');
  const outerPort = firstOf(request, 'x-forwarded-port');
  const prefix = (firstOf(request, 'x-forwarded-prefix') ?? '').replace(/\/+$/, '');
  const goodScheme = scheme === 'https' || scheme === 'http' ? scheme : undefined;
  const goodHost =
    host !== undefined && /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host) ? host : undefined;
  const goodPort = outerPort !== undefined && /^\d{1,5}$/.test(outerPort) ? outerPort : undefined;
  const isForwarded = (goodScheme ?? goodHost ?? goodPort) !== undefined;
  const origin = composeOrigin(goodScheme ?? 'http', goodHost ?? request.headers.host ?? own, goodPort);
  return { origin, prefix: /^(?:\/[\w.~%-]+)+$/.test(prefix) ? prefix : '', isForwarded };
}

function composeOrigin(scheme: string, host: string, port: string | undefined): string {
  const url = `${scheme}://${host}`;
  if (port === undefined || !URL.canParse(url)) return url;
  const whole = new URL(url);
  whole.port = port;
  return whole.origin;
}

function firstOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  return text?.split(',')[0]?.trim() || undefined;
}
