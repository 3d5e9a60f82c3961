import { type Agent, fetch as undiciFetch } from 'undici';
import { BerthError } from '../errors.ts';
import { type AddressRule, isLoopbackName, type ResolveHost, resolveWithSystem } from './address-guard.ts';
import { boundBody, refuseSize } from './bounded-body.ts';
import { followRedirect, type Hop, readRedirect } from './follow-redirect.ts';
import { createGuardedAgent } from './guarded-agent.ts';
import { explainNetworkError, refuseSlowness } from './network-errors.ts';

export interface GuardedFetchOptions {
  /** Lets every address through; without it only public unicast addresses are connected to. */
  readonly allowPrivate: boolean;
  /** Lets plain http to loopback through although `allowPrivate` is false. A foreign redirect does not gain it. */
  readonly allowLoopbackHttp?: boolean;
  /** PEM of certificate authorities to trust instead of the system's. */
  readonly ca?: string | Buffer;
  /** Milliseconds for the whole operation, redirects and body included. Default 30 000. */
  readonly timeoutMs?: number;
  /** Most bytes of a body, after decompression. Default 100 MB. */
  readonly maxBytes?: number;
  /** Default 5. */
  readonly maxRedirects?: number;
  /** Resolver of host names; for tests. */
  readonly resolve?: ResolveHost;
}

/**
 * A `fetch` that checks each address at connect time (so neither a DNS name nor a redirect slips through), follows
 * few redirects and never down from https, keeps credentials with their origin, and bounds time and size
 * (contract 6 and 7). The request body is buffered, so that it can follow a redirect.
 *
 * @throws BerthError `net_private_address`, `net_timeout`, `net_unreachable`, `net_too_large`, `net_redirect`,
 *   `net_url_refused`; the reason of the caller's own signal when that is aborted. Reading the body throws the same.
 */
export function createGuardedFetch(options: GuardedFetchOptions): typeof globalThis.fetch {
  const timeoutMs = options.timeoutMs ?? 30_000;
  const maxBytes = options.maxBytes ?? 100_000_000;
  const maxRedirects = options.maxRedirects ?? 5;
  const agents = new Map<AddressRule, Agent>();
  const pickAgent = (rule: AddressRule): Agent => {
    const known = agents.get(rule);
    if (known) return known;
    const agent = createGuardedAgent({
      rule,
      resolve: options.resolve ?? resolveWithSystem,
      connectTimeoutMs: timeoutMs,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    });
    agents.set(rule, agent);
    return agent;
  };

  return async (input, init) => {
    const request = readRequest(input, init);
    const first = await describeRequest(request);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs).unref();
    const wish = init?.signal ?? request.signal;
    const signal = AbortSignal.any([wish, deadline.signal]);
    const explain = (error: unknown, host: string): unknown => {
      if (wish.aborted) return wish.reason;
      return deadline.signal.aborted ? refuseSlowness(host, timeoutMs) : explainNetworkError(error, host);
    };

    let hop = first;
    try {
      for (let redirects = 0; ; redirects += 1) {
        const response = await undiciFetch(hop.url, {
          method: hop.method,
          headers: [...hop.headers],
          ...(hop.body === undefined ? {} : { body: hop.body }),
          redirect: 'manual',
          signal,
          dispatcher: pickAgent(pickRule(options, first.url, hop.url)),
        });
        const location = readRedirect(response.status, response.headers);
        if (location !== undefined && request.redirect !== 'manual') {
          await response.body?.cancel();
          hop = followRedirect(hop, response.status, location);
          if (request.redirect === 'error' || redirects >= maxRedirects)
            throw refuseRedirect(hop, maxRedirects);
          continue;
        }
        const { host } = hop.url;
        if (response.body && declaresMoreThan(response.headers, maxBytes)) {
          await response.body.cancel();
          throw refuseSize(host, maxBytes);
        }
        const body =
          response.body &&
          boundBody(response.body, {
            maxBytes,
            host,
            mapError: (error) => explain(error, host),
            onEnd: () => clearTimeout(timer),
          });
        if (!body) clearTimeout(timer);
        return presentResponse(body, response, hop.url, redirects > 0);
      }
    } catch (error) {
      clearTimeout(timer);
      throw explain(error, hop.url.host);
    }
  };
}

function readRequest(input: string | URL | Request, init: RequestInit | undefined): Request {
  const written = input instanceof Request ? input.url : String(input);
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new BerthError('net_url_refused', 'The address is not an http or https URL.', {
      fix: 'Use an absolute URL.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new BerthError('net_url_refused', `The URL of ${url.host} holds credentials.`, {
      fix: 'Remove user name and password from the URL.',
    });
  }
  return new Request(input, init);
}

async function describeRequest(request: Request): Promise<Hop> {
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  return { url: new URL(request.url), method: request.method, headers: new Headers(request.headers), body };
}

function pickRule(options: GuardedFetchOptions, first: URL, target: URL): AddressRule {
  if (options.allowPrivate) return 'any';
  if (!options.allowLoopbackHttp || target.protocol !== 'http:') return 'public';
  // A public host must not be able to send us to our own loopback.
  return target.host === first.host || isLoopbackName(first.hostname) ? 'public-or-loopback' : 'public';
}

function refuseRedirect(hop: Hop, maxRedirects: number): BerthError {
  return new BerthError(
    'net_redirect',
    `A redirect to ${hop.url.host} is not followed: at most ${maxRedirects} are allowed here.`,
    { fix: 'Name the final address instead.' },
  );
}

function declaresMoreThan(headers: { get(name: string): string | null }, maxBytes: number): boolean {
  return Number(headers.get('content-length') ?? 0) > maxBytes;
}

function presentResponse(
  body: ReadableStream<Uint8Array> | null,
  answer: { status: number; statusText: string; headers: Iterable<[string, string]> },
  url: URL,
  redirected: boolean,
): Response {
  const response = new Response(body, {
    status: answer.status,
    statusText: answer.statusText,
    headers: [...answer.headers],
  });
  Object.defineProperties(response, { url: { value: url.href }, redirected: { value: redirected } });
  return response;
}
