import {
  allowInsecureRequests,
  type ClientAuth,
  customFetch,
  genericTokenEndpointRequest,
  processGenericTokenEndpointResponse,
} from 'oauth4webapi';
import { makeClient } from '../../../server/auth/oauth-client.ts';
import { BerthError, messageOf } from '../../../sources/errors.ts';
import type { TokenExchangePlan } from '../../run/plan.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:';
/** How long a token is used whose end the endpoint does not tell. */
const UNKNOWN_LIFE_SECONDS = 60;

export interface ExchangedToken {
  readonly token: string;
  /** Seconds it may be used from now. */
  readonly expiresIn: number;
}

export type ExchangeToken = (subjectToken: string) => Promise<ExchangedToken>;

/** Sends no client id at all: the endpoint knows the caller by the subject token alone. */
const sendNothing: ClientAuth = () => undefined;

/**
 * The request of RFC 8693 for one subject token (contract 5, specification 5.3).
 * @param clientSecret the value of `plan.clientSecret`
 * @throws (when called) BerthError `token_exchange_failed`, which holds nothing of either token
 */
export function createTokenExchange(
  plan: TokenExchangePlan,
  clientSecret: string | undefined,
  fetch: typeof globalThis.fetch,
): ExchangeToken {
  const server = { issuer: new URL(plan.url).origin, token_endpoint: plan.url };
  const { client, authentication } =
    plan.clientId === undefined
      ? { client: { client_id: 'berth' }, authentication: sendNothing }
      : makeClient(plan.clientId, clientSecret, 'client_secret_basic');
  const options = {
    [customFetch]: (url: string, init: RequestInit) => fetch(url, init),
    // Only https and plain http to loopback get past the fetch that is handed in.
    [allowInsecureRequests]: true,
  };
  return async (subjectToken) => {
    const parameters = new URLSearchParams({
      subject_token: subjectToken,
      subject_token_type: `${TOKEN_TYPE}${plan.subjectTokenType}`,
      requested_token_type: `${TOKEN_TYPE}access_token`,
    });
    if (plan.audience !== undefined) parameters.set('audience', plan.audience);
    if (plan.scopes.length > 0) parameters.set('scope', plan.scopes.join(' '));
    try {
      const response = await genericTokenEndpointRequest(
        server,
        client,
        authentication,
        GRANT,
        parameters,
        options,
      );
      const answer = await processGenericTokenEndpointResponse(server, client, response);
      return { token: answer.access_token, expiresIn: answer.expires_in ?? UNKNOWN_LIFE_SECONDS };
    } catch (cause) {
      throw new BerthError(
        'token_exchange_failed',
        `The token could not be exchanged: ${messageOf(cause)}.`,
        {
          at: { url: plan.url },
          fix: 'Check --token-exchange-url, the client and whether it may ask for this audience.',
          cause,
        },
      );
    }
  };
}
