import {
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
} from 'oauth4webapi';
import { BerthError } from '../../../sources/errors.ts';
import { writePending } from './pending-sign-in.ts';
import { redirect } from './redirect.ts';
import { chooseReturnPath } from './return-path.ts';
import type { SignInContext } from './sign-in-context.ts';
import { CALLBACK_PATH } from './sign-in-paths.ts';

/**
 * Sends a browser to the provider: authorization code, PKCE with S256, state and nonce, which the browser keeps
 * encrypted. `return` of the query says where to go afterwards.
 * @throws what finding the provider throws
 */
export async function beginSignIn(request: Request, context: SignInContext, now: number): Promise<Response> {
  const { client, keys, style, base } = context;
  const { clientId, scope, resource, provider } = client.settings;
  const { authorization_endpoint: endpoint } = await client.discover();
  if (endpoint === undefined) {
    throw new BerthError('provider_metadata', 'The identity provider names no authorization endpoint.');
  }
  const [state, nonce, verifier] = [
    generateRandomState(),
    generateRandomNonce(),
    generateRandomCodeVerifier(),
  ];
  const redirectUri = base + CALLBACK_PATH;
  const url = new URL(endpoint);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(resource === undefined ? {} : { resource }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const returnPath = chooseReturnPath(new URL(request.url).searchParams.get('return'));
  const pending = { state, nonce, verifier, issuer: provider.issuerUrl, redirectUri, returnPath };
  return redirect(url.href, [await writePending(pending, keys, style, now)]);
}
