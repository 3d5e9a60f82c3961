import { BerthError } from '../../sources/errors.ts';
import { isLoopbackName } from '../../sources/net/address-guard.ts';

import { fetchWithinOrigin } from './fetch-within-origin.ts';

/**
 * Fetches a metadata document; undefined when there is none (any 4xx).
 * @throws BerthError `remote_auth_discovery` for plain http beyond loopback and for 5xx, and what `fetch` throws
 */
export async function fetchDocument(fetch: typeof globalThis.fetch, url: URL): Promise<Response | undefined> {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackName(url.hostname))) {
    throw new BerthError('remote_auth_discovery', 'Metadata of a login is not fetched over plain http.', {
      at: { url: url.href },
      fix: 'The server must name https addresses.',
    });
  }
  const response = await fetchWithinOrigin(fetch, url, { headers: { accept: 'application/json' } });
  if (response.status === 200) return response;
  await response.body?.cancel();
  if (response.status < 500) return undefined;
  throw new BerthError('remote_auth_discovery', `The metadata of a login answered ${response.status}.`, {
    at: { url: url.href },
    fix: 'Try again when the server is well.',
  });
}

/** `/.well-known/NAME` with the path of `base` behind it (RFC 8414, RFC 9728). */
export function insertWellKnown(base: URL, name: string): URL {
  const path = base.pathname.replace(/\/+$/, '');
  return new URL(`/.well-known/${name}${path}`, base.origin);
}
