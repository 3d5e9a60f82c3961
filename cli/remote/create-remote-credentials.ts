import { BerthError, messageOf } from '../../sources/errors.ts';
import { answerRefusal } from '../policy/answer-refusal.ts';
import type { Contribution } from '../proxy/exchange.ts';
import type { ProxyLog } from '../proxy/proxy.ts';
import { readCaBundle } from '../read-ca-bundle.ts';
import type { Plan } from '../run/plan.ts';
import { requireSecret } from '../secrets/require-secret.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { chooseDiscoveryFetch } from './choose-discovery-fetch.ts';
import { nameWorkloadGrant, openGrantStore } from './grant.ts';
import { createGrantKeeper, type GrantKeeper } from './grant-keeper.ts';

const RETRY_AFTER_SECONDS = 10;
/** A token this young was not refused for its age: it is not renewed once more. */
const FRESH_MS = 15_000;

export interface RemoteCredentialsDeps {
  readonly secrets: SecretStore;
  readonly log: ProxyLog;
  /** The login has ended: the workload becomes `unauthenticated`. */
  readonly onUnauthenticated: (reason: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** What we authenticate with towards a remote server (contract 6). */
export interface RemoteCredentials {
  /** For requests of our own. @throws BerthError `remote_auth_unavailable`, `remote_auth_lost` */
  headers(): Promise<Record<string, string>>;
  /** To be told that the remote server answered 401, and goes on to with a new token. */
  reportUnauthorized(): void;
  /**
   * To be asked when it answered 401: gets a new token, one for all who ask at once. Answers whether it may be tried
   * again; undefined where there is no grant to renew.
   */
  readonly renew: (() => Promise<boolean>) | undefined;
  readonly contribution: Contribution;
}

/**
 * Opens the credentials of a remote workload: a static bearer token, or the grant that `prepareRemoteLogin` left.
 * Without either, a 401 of the server still makes the workload `unauthenticated`.
 * @throws BerthError `secret_missing`
 */
export async function createRemoteCredentials(
  plan: Plan,
  deps: RemoteCredentialsDeps,
): Promise<RemoteCredentials | undefined> {
  if (plan.server.kind !== 'remote') return undefined;
  const now = deps.now ?? Date.now;
  const { bearerToken } = plan.remoteAuth ?? {};
  const bearer = bearerToken === undefined ? undefined : await requireSecret(deps.secrets, bearerToken);
  const keeper = bearer === undefined ? await openKeeper(plan, deps, now) : undefined;
  const readToken = async () => bearer ?? keeper?.token();
  let end: BerthError | undefined;
  const headers = async (): Promise<Record<string, string>> => {
    if (end !== undefined) throw end;
    const token = await readToken();
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  };
  const tell = (reason: string) => deps.onUnauthenticated(reason);
  const giveUp = (why: BerthError): void => {
    end = why;
    tell(why.message);
  };
  const reportUnauthorized = (): void => {
    if (keeper === undefined) tell('the remote server answered 401');
    else giveUp(new BerthError('remote_auth_lost', 'The remote server refuses a new token.'));
  };
  let renewedAt = Number.NEGATIVE_INFINITY;
  const renew = async (kept: GrantKeeper): Promise<boolean> => {
    if (end !== undefined) return false;
    if (now() - renewedAt < FRESH_MS) return true;
    try {
      await kept.renew();
      renewedAt = now();
      return true;
    } catch (error) {
      const text = 'the token of the remote server could not be renewed';
      deps.log('warn', { error: messageOf(error) }, text);
      if (error instanceof BerthError && isLost(error)) giveUp(error);
      return false;
    }
  };
  // An exchanged token of the caller takes the place of ours (contract 5).
  const sendsOurs = plan.tokenExchange === undefined && (bearer !== undefined || keeper !== undefined);
  return {
    headers,
    reportUnauthorized,
    renew: keeper === undefined ? undefined : () => renew(keeper),
    contribution: {
      needsMcp: false,
      close: () => Promise.resolve(),
      stages: sendsOurs
        ? {
            async 'outgoing-headers'(exchange, next) {
              try {
                // The backend sends them; here a client learns in time that there are none.
                await headers();
              } catch (error) {
                const lost = isLost(error);
                deps.log(
                  'warn',
                  { requestId: exchange.requestId, error: messageOf(error) },
                  'no token for the remote server',
                );
                if (lost) tell(messageOf(error));
                answerRefusal(exchange, {
                  status: 503,
                  code: -32000,
                  message: lost
                    ? `The login to the remote server has ended. Run berth start ${plan.name} to log in again.`
                    : 'The authorization server of the remote server cannot be reached. Try again shortly.',
                  reason: lost ? 'remote_auth_lost' : 'remote_auth_unavailable',
                  headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
                });
                return;
              }
              await next();
            },
          }
        : {},
    },
  };
}

async function openKeeper(
  plan: Plan,
  deps: RemoteCredentialsDeps,
  now: () => number,
): Promise<GrantKeeper | undefined> {
  const { server, remoteAuth } = plan;
  if (server.kind !== 'remote' || remoteAuth?.enabled !== true) return undefined;
  const store = openGrantStore(deps.secrets, nameWorkloadGrant(plan.name));
  const grant = await store.load();
  if (grant === undefined) return undefined;
  const ca = readCaBundle(plan.caBundle);
  // The endpoint was found, and its address judged, when someone logged in.
  const isChosen = remoteAuth.issuer !== undefined || remoteAuth.tokenUrl !== undefined;
  const fetch = await chooseDiscoveryFetch({ resource: new URL(server.url), isChosen, ca });
  return createGrantKeeper(grant, {
    store,
    fetch,
    now,
    log: (level, fields, message) => deps.log(level, fields, message),
  });
}

function isLost(error: unknown): boolean {
  return error instanceof BerthError && error.code === 'remote_auth_lost';
}
