import { BerthError } from '../../sources/errors.ts';

const MAX_REDIRECTS = 3;

/**
 * Fetches and follows redirects within the origin only: what a server says about logins must not lead our requests,
 * and the headers they carry, to places it chooses (contract 6).
 * @throws BerthError `remote_auth_redirect`, and what `fetch` throws
 */
export async function fetchWithinOrigin(
  fetch: typeof globalThis.fetch,
  url: URL,
  init: RequestInit,
): Promise<Response> {
  let at = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await fetch(at, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, at.href)) break;
    const next = new URL(location, at);
    if (next.origin !== url.origin) {
      throw new BerthError('remote_auth_redirect', `${url.host} redirects to ${next.host}.`, {
        at: { url: at.href },
        fix: 'Redirects to other origins are not followed here; name the final address instead.',
      });
    }
    at = next;
  }
  throw new BerthError('remote_auth_redirect', `${url.host} redirects without an end.`, {
    at: { url: at.href },
  });
}
