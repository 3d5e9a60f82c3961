// How the personas of the walk sign in to the site with a browser: by their name, without a password. For trying only.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { OidcClient, Provider } from 'oidc-provider';
import { writePersonaPage } from '../support/sign-in-pages.ts';

const SCOPE = 'openid profile';

/** The client of the site. It has no secret, and its address may have any port of this machine. */
export const SITE_CLIENT = {
  client_id: 'berth-site',
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: ['http://127.0.0.1/sign-in/callback', 'http://localhost/sign-in/callback'],
  post_logout_redirect_uris: ['http://127.0.0.1/', 'http://localhost/'],
};

interface Asked {
  readonly oidc: {
    readonly client: OidcClient;
    readonly session: { readonly accountId?: string };
    readonly params: { readonly resource?: string };
  };
}

/** Nobody is asked for consent: the site is the company's own. */
export async function grantEverything(provider: Provider, { oidc }: Asked): Promise<unknown> {
  const { accountId } = oidc.session;
  if (accountId === undefined) return undefined;
  const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId });
  grant.addOIDCScope(SCOPE);
  if (oidc.params.resource !== undefined) grant.addResourceScope(oidc.params.resource, SCOPE);
  await grant.save();
  return grant;
}

/** Asks who somebody is, and sends them back to the site. */
export async function askWho(
  provider: Provider,
  personas: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt } = await provider.interactionDetails(request, response);
  if (prompt.name === 'consent') return provider.interactionFinished(request, response, { consent: {} });
  const form = new URLSearchParams(request.method === 'POST' ? await text(request) : '');
  const persona = form.get('persona') ?? '';
  if (form.get('answer') === 'cancel')
    return provider.interactionFinished(request, response, { error: 'access_denied' });
  if (personas.includes(persona))
    return provider.interactionFinished(request, response, { login: { accountId: persona } });
  const problem = request.method === 'POST' ? 'Nobody has that name.' : '';
  response.writeHead(problem === '' ? 200 : 400, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end(writePersonaPage(personas, problem));
}
