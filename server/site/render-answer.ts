import { Rendered } from '../http/rendered.ts';
import { asWebResponse } from '../http/web-answer.ts';
import type { Session } from './read-session.ts';
import { writeSitePolicy } from './site-policy.ts';

/**
 * A rendered page as it is sent: policy, cookies, validators, compression. Pages of somebody who is signed in are kept
 * nowhere.
 */
export async function renderAnswer(
  request: Request,
  response: Response,
  { viewer, setCookies }: Pick<Session, 'viewer' | 'setCookies'>,
): Promise<Response> {
  const headers = {
    'Cache-Control': viewer.kind === 'signed-in' ? 'private, no-store' : 'private, no-cache',
    Vary: 'Cookie, Authorization, Accept-Encoding',
    'Content-Security-Policy': writeSitePolicy(),
    // Forms shall say where they were sent from, links to elsewhere nothing.
    'Referrer-Policy': 'same-origin',
  };
  const body = Buffer.from(await response.arrayBuffer());
  const isPage = response.status === 200 && setCookies.length === 0;
  const answer = isPage
    ? asWebResponse(
        new Rendered(body, {
          contentType: response.headers.get('content-type') ?? 'text/html; charset=utf-8',
          lastModified: Date.now(),
          isFleeting: true,
          headers,
        }).answer(
          request.headers.get('accept-encoding') ?? undefined,
          request.headers.get('if-none-match') ?? undefined,
        ),
        request.method,
      )
    : asWebResponse(
        { status: response.status, body, headers: { ...Object.fromEntries(response.headers), ...headers } },
        request.method,
      );
  for (const name of ['last-modified', 'x-astro-reroute']) answer.headers.delete(name);
  for (const cookie of setCookies) answer.headers.append('Set-Cookie', cookie);
  return answer;
}
