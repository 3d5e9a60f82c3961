import { BerthError, messageOf } from '../../sources/errors.ts';
import { createGuardedFetch } from '../../sources/net/guarded-fetch.ts';
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
import { probeRemote } from './probe-remote.ts';
import { resolveForwardHeaders } from './resolve-forward-headers.ts';

const RETRY_AFTER_SECONDS = 10;
/** A token this young was not refused for its age: it is not renewed once more. */
const FRESH_MS = 15_000;
const PROBE_MS = 10_000;

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
  /** To be told that the remote server answered 401. */
  reportUnauthorized(): void;
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
  const headers = async (): Promise<Record<string, string>> => {
    const token = await readToken();
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  };
  const tell = (reason: string) => deps.onUnauthenticated(reason);
  let renewedAt = Number.NEGATIVE_INFINITY;
  const recheck = async (kept: GrantKeeper): Promise<void> => {
    try {
      if (now() - renewedAt >= FRESH_MS) await kept.renew();
      renewedAt = now();
      const isRefused = await probeAgain(plan, deps.secrets, await headers());
      if (isRefused) tell('the remote server refuses a new token');
    } catch (error) {
      deps.log('warn', { error: messageOf(error) }, 'the token of the remote server could not be renewed');
      if (isLost(error)) tell(messageOf(error));
    }
  };
  let isChecking = false;
  const reportUnauthorized = (): void => {
    if (keeper === undefined) {
      tell('the remote server answered 401');
      return;
    }
    if (isChecking) return;
    isChecking = true;
    void recheck(keeper).finally(() => {
      isChecking = false;
    });
  };
  // An exchanged token of the caller takes the place of ours (contract 5).
  const sendsOurs = plan.tokenExchange === undefined && (bearer !== undefined || keeper !== undefined);
  return {
    headers,
    reportUnauthorized,
    contribution: {
      needsMcp: false,
      close: () => Promise.resolve(),
      stages: sendsOurs
        ? {
            async 'outgoing-headers'(exchange, next) {
              try {
                exchange.outgoing.set('authorization', (await headers()).authorization ?? null);
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

/** Whether the remote server refuses these headers too. */
async function probeAgain(
  plan: Plan,
  secrets: SecretStore,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> {
  if (plan.server.kind !== 'remote') return false;
  const ca = readCaBundle(plan.caBundle);
  const fetch = createGuardedFetch({
    allowPrivate: true,
    timeoutMs: PROBE_MS,
    ...(ca === undefined ? {} : { ca }),
  });
  const all = { ...(await resolveForwardHeaders(plan, secrets)), ...headers };
  return (await probeRemote(new URL(plan.server.url), plan.transport === 'sse', all, fetch)).asksForLogin;
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
