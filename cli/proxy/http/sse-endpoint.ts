import type { Plan } from '../../run/plan.ts';
import { findPublicPlace } from '../client-url.ts';
import type { Exchange } from '../exchange.ts';

export interface RewrittenEndpoint {
  /** Where the server takes messages. */
  readonly upstream: URL;
  /** Path and query by which the proxy knows it. */
  readonly place: string;
  /** What the client is told. */
  readonly told: string;
}

/**
 * Turns the data of an `endpoint` event, so that the client posts to the proxy: path and query stay, behind
 * `--endpoint-prefix` or a trusted `X-Forwarded-Prefix`; a whole URL becomes one of the place the client knows us by
 * (specification 4.1).
 *
 * @param target URL of the stream
 * @param hostHeader the name the server was given for itself, when it is another one
 * @returns undefined for a URL of another origin, where messages must not go
 */
export function rewriteEndpoint(
  data: string,
  target: URL,
  exchange: Pick<Exchange, 'request'>,
  proxy: Plan['proxy'],
  hostHeader: string | undefined,
): RewrittenEndpoint | undefined {
  const text = data.trim();
  if (!URL.canParse(text, target.href)) return undefined;
  const upstream = toTarget(new URL(text, target), target, hostHeader);
  if (upstream === undefined) return undefined;
  const place = upstream.pathname + upstream.search;
  const seen = findPublicPlace(exchange.request, proxy);
  const prefix = proxy.endpointPrefix?.replace(/\/+$/, '') || seen.prefix;
  const isWhole = /^[a-z][a-z\d+.-]*:|^\/\//i.test(text);
  return { upstream, place, told: (isWhole || seen.isForwarded ? seen.origin : '') + prefix + place };
}

/** The same place at the target, when a URL is of the target; undefined when it is of somebody else. */
export function toTarget(url: URL, target: URL, hostHeader: string | undefined): URL | undefined {
  if (url.origin === target.origin) return url;
  if (url.protocol !== target.protocol || url.host !== hostHeader) return undefined;
  return new URL(url.pathname + url.search, target);
}
