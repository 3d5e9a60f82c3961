import { BerthError } from '../errors.ts';

/** One request on the wire, with a body that can be sent again. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
}

const redirects = new Set([301, 302, 303, 307, 308]);
const credentials = ['authorization', 'cookie', 'proxy-authorization'];
const bodyHeaders = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-location',
];

/** Where a redirect leads as written by the server; undefined when the answer is not a redirect. */
export function readRedirect(
  status: number,
  headers: { get(name: string): string | null },
): string | undefined {
  return redirects.has(status) ? (headers.get('location') ?? undefined) : undefined;
}

/**
 * The request that follows a redirect. Credentials stay with the origin they were meant for.
 *
 * @throws BerthError `net_redirect` when the target is no http(s) URL, carries credentials, or is http after https
 */
export function followRedirect(hop: Hop, status: number, location: string): Hop {
  const refuse = (why: string) =>
    new BerthError('net_redirect', `${hop.url.host} redirects ${why}, which is not followed.`, {
      fix: 'Name the final address instead.',
    });
  if (!URL.canParse(location, hop.url.href)) throw refuse('to something that is not a URL');
  const url = new URL(location, hop.url);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse(`to a ${url.protocol} address`);
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') throw refuse('from https to http');
  if (url.username !== '' || url.password !== '') throw refuse('to an address that holds credentials');
  const headers = new Headers(hop.headers);
  if (url.origin !== hop.url.origin) for (const name of credentials) headers.delete(name);
  const becomesGet =
    (status === 303 && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST');
  if (!becomesGet) return { ...hop, url, headers };
  for (const name of bodyHeaders) headers.delete(name);
  return { url, method: 'GET', headers, body: undefined };
}
