import type { Plan } from '../../run/plan.ts';
import { formatHost } from '../client-url.ts';
import type { Exchange } from '../exchange.ts';
import { HOP_BY_HOP, listConnectionOptions } from './hop-by-hop.ts';

/** Set anew for each server, whatever a client sent. */
const OURS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'expect',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-forwarded-proto',
  'x-real-ip',
]);
/** Passed on as the client sent them when they are trusted (specification 4.1). */
const TRUSTED = ['x-forwarded-port', 'x-forwarded-prefix'];

export interface UpstreamHeaderOptions {
  readonly host: string;
  readonly target: URL;
  /** For a remote: our own names are none of its business, and could mislead how it routes. */
  readonly isRemote: boolean;
  readonly proxy: Pick<Plan['proxy'], 'host' | 'port' | 'trustProxyHeaders'>;
  /** Ask for an answer that is not compressed. */
  readonly plain: boolean;
  /** Lower case; a link's header of the same name wins. */
  readonly credentials: Readonly<Record<string, string>>;
}

/**
 * The headers a server gets, as undici takes them (name, value, name, value …): those of the client without what
 * belongs to its connection, `Host` of the target, `X-Forwarded-*`, credentials, and last what the links of the chain
 * set or removed.
 */
export function buildUpstreamHeaders(exchange: Exchange, options: UpstreamHeaderOptions): string[] {
  const { request, outgoing } = exchange;
  const { credentials, plain, proxy } = options;
  const raw = request.rawHeaders;
  const dropped = listConnectionOptions(request.headers.connection);
  const headers = ['host', options.host];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    if (HOP_BY_HOP.has(name) || OURS.has(name) || dropped.has(name)) continue;
    if (outgoing.has(name) || Object.hasOwn(credentials, name)) continue;
    if (plain && name === 'accept-encoding') continue;
    headers.push(name, raw[at + 1] ?? '');
  }
  if (plain) headers.push('accept-encoding', 'identity');
  pushForwarded(headers, exchange, options);
  if (proxy.trustProxyHeaders) {
    for (const name of TRUSTED) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.push(name, value);
    }
  }
  for (const name of Object.keys(credentials)) {
    // What a link took away is the client's; ours stands in its place.
    if (typeof outgoing.get(name) !== 'string') headers.push(name, credentials[name] ?? '');
  }
  for (const [name, value] of outgoing) if (value !== null) headers.push(name, value);
  return headers;
}

/** Whether somebody has to read the answer. */
export function wantsPlain({ answerFilters, answerObservers }: Exchange): boolean {
  return answerFilters.length > 0 || answerObservers.length > 0;
}

function pushForwarded(
  headers: string[],
  exchange: Exchange,
  { proxy, isRemote, target }: UpstreamHeaderOptions,
) {
  const { request } = exchange;
  const trusted = (name: string): string | undefined => {
    const value = proxy.trustProxyHeaders ? request.headers[name] : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
  const before = trusted('x-forwarded-for');
  headers.push('x-forwarded-for', before === undefined ? peer : `${before}, ${peer}`);
  if (isRemote) {
    headers.push('x-forwarded-proto', target.protocol.slice(0, -1));
    return;
  }
  const own =
    request.headers.host ?? `${formatHost(proxy.host)}:${request.socket.localPort ?? proxy.port ?? 80}`;
  headers.push('x-forwarded-host', trusted('x-forwarded-host') ?? own);
  headers.push('x-forwarded-proto', trusted('x-forwarded-proto') ?? 'http');
}
