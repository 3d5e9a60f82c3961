import { BerthError, messageOf } from '../../../sources/errors.ts';
import { isLoopbackName } from '../../../sources/net/address-guard.ts';
import { createGuardedFetch } from '../../../sources/net/guarded-fetch.ts';
import type { Contribution } from '../../proxy/exchange.ts';
import type { ProxyLog } from '../../proxy/proxy.ts';
import { readCaBundle } from '../../read-ca-bundle.ts';
import type { Plan } from '../../run/plan.ts';
import { requireSecret } from '../../secrets/require-secret.ts';
import type { SecretStore } from '../../secrets/secret-store.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { createTokenExchange } from './exchange-token.ts';
import { rememberExchanges } from './remembered-exchanges.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 262_144;

export interface TokenExchangeDeps {
  readonly secrets: SecretStore;
  readonly log: ProxyLog;
  readonly fetch?: typeof globalThis.fetch;
  readonly now?: () => number;
}

/**
 * Exchanges the caller's token for one of the server's own (contract 5, specification 5.3): RFC 8693, remembered per
 * subject token. A request without a token passes as it is; a failed exchange is 401.
 * @throws BerthError `secret_missing`, `token_exchange_url`
 */
export async function createTokenExchangeContribution(
  plan: Plan,
  deps: TokenExchangeDeps,
): Promise<Contribution | undefined> {
  const { tokenExchange } = plan;
  if (tokenExchange === undefined) return undefined;
  const url = new URL(tokenExchange.url);
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname)) {
    throw new BerthError('token_exchange_url', 'Tokens are not sent over plain http.', {
      at: { flag: '--token-exchange-url' },
      fix: 'Use an https address; plain http works for loopback only.',
    });
  }
  const { clientSecret } = tokenExchange;
  const secret = clientSecret === undefined ? undefined : await requireSecret(deps.secrets, clientSecret);
  const ca = readCaBundle(plan.caBundle);
  const fetch =
    deps.fetch ??
    createGuardedFetch({
      // The user names the address on the command line, so a provider inside the company is fine.
      allowPrivate: true,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
      ...(ca === undefined ? {} : { ca }),
    });
  const now = deps.now ?? Date.now;
  const exchangeOnce = rememberExchanges(createTokenExchange(tokenExchange, secret, fetch), now);
  const header = tokenExchange.headerName?.toLowerCase() ?? 'authorization';
  return {
    needsMcp: false,
    close: () => Promise.resolve(),
    stages: {
      async 'token-exchange'(exchange, next) {
        const bearer = exchange.bearer ?? readBearer(exchange.request.headers.authorization);
        if (bearer === undefined) return next();
        try {
          const endsAt = exchange.identity?.expiresAt ?? Number.POSITIVE_INFINITY;
          exchange.outgoing.set(header, `Bearer ${await exchangeOnce(bearer, endsAt)}`);
        } catch (error) {
          deps.log(
            'warn',
            { requestId: exchange.requestId, error: messageOf(error) },
            'a token was not exchanged',
          );
          answerRefusal(exchange, {
            status: 401,
            code: -32001,
            message: 'The token could not be exchanged for one of this server.',
            reason: 'token_exchange_failed',
            headers: {
              'www-authenticate': 'Bearer error="invalid_token", error_description="token exchange failed"',
            },
          });
          return;
        }
        await next();
      },
    },
  };
}

/** The token of a caller that the proxy itself does not check: that is then up to the exchange. */
function readBearer(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}
