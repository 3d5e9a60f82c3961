import { escapeHtml } from '../../docs/escape-html.ts';
import type { PostedForm } from './check-form.ts';
import { checkForm } from './check-form.ts';
import { makeFormToken } from './form-token.ts';
import { redirect } from './redirect.ts';
import { clearSessionCookie, readSessionCookie, type SignedInSession } from './session.ts';
import type { SignInContext } from './sign-in-context.ts';

/** A browser that is signed in no longer. */
export interface Ended {
  readonly response: Response;
  /** What it was signed in by; undefined when it was not. */
  readonly session: SignedInSession | undefined;
}

/**
 * Ends the session of a browser, and sends it on to the sign-out of the provider where that has one (OpenID Connect
 * RP-Initiated Logout), else home. A provider that is down does not keep anybody signed in here.
 * @param onTrouble told what the provider could not be asked for
 * @throws HttpError 403 `csrf_refused`
 */
export async function finishSignOut(
  request: Request,
  form: PostedForm,
  context: SignInContext,
  now: number,
  onTrouble: (error: unknown) => void,
): Promise<Ended> {
  const { client, keys, style, base } = context;
  const { session } = await readSessionCookie(request, keys, style, now);
  const cookies = clearSessionCookie(request, style);
  if (session === undefined) return { response: redirect(`${base}/`, cookies), session };
  checkForm(request, form, { csrf: makeFormToken(session.id, keys) }, base);
  const { provider, clientId } = client.settings;
  if (session.issuer !== provider.issuerUrl || session.clientId !== clientId) {
    return { response: redirect(`${base}/`, cookies), session };
  }
  const { refreshToken, idToken } = session;
  if (refreshToken !== undefined) await client.revoke(refreshToken).catch(onTrouble);
  const server = await client.discover().catch(() => undefined);
  if (server?.end_session_endpoint === undefined) {
    return { response: redirect(`${base}/`, cookies), session };
  }
  const url = new URL(server.end_session_endpoint);
  url.searchParams.set('client_id', clientId);
  url.searchParams.set('post_logout_redirect_uri', `${base}/`);
  if (idToken !== undefined) url.searchParams.set('id_token_hint', idToken);
  return { response: sendOn(url.href, cookies), session };
}

/**
 * A page that leads on at once. A redirect would not do: what a posted form redirects to has to be allowed by the
 * policy of the page it was on (`form-action`), and where a provider sends people in between is not known.
 */
function sendOn(location: string, cookies: readonly string[]): Response {
  const link = escapeHtml(location);
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Signing out</title><p>You are signed out here. <a href="${link}">Sign out of the identity provider</a></p></html>`;
  const headers = new Headers({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(html)),
    'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    Refresh: `0;url=${location}`,
  });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(html, { status: 200, headers });
}
