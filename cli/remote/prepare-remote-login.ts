import { BerthError } from '../../sources/errors.ts';
import { createGuardedFetch } from '../../sources/net/guarded-fetch.ts';
import { readCaBundle } from '../read-ca-bundle.ts';
import type { Plan } from '../run/plan.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { chooseDiscoveryFetch } from './choose-discovery-fetch.ts';
import { chooseResource, discoverLogin } from './discover-login.ts';
import { findResourceMetadata } from './find-resource-metadata.ts';
import { type Grant, nameWorkloadGrant, openGrantStore } from './grant.ts';
import { createGrantKeeper, type GrantKeeperDeps } from './grant-keeper.ts';
import { logIn } from './log-in.ts';
import { probeRemote } from './probe-remote.ts';
import { resolveForwardHeaders } from './resolve-forward-headers.ts';

const PROBE_MS = 10_000;

export interface RemoteLoginDeps {
  readonly secrets: SecretStore;
  /** Whether a person sits in front of this process. */
  readonly isTerminal: boolean;
  /** Prints the link in the terminal that ran the command; opens a browser when `open` is true. */
  readonly showLink: (url: string, open: boolean) => void;
  /** URL of our Client ID Metadata Document (`config set client-metadata-url`). */
  readonly clientMetadataUrl: string | undefined;
  /** Aborted to give up waiting for the person. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * Makes sure that a remote workload can authenticate (contract 6), asking a person where one is needed: called by
 * `run` and `start` in their own terminal before the supervisor begins. A grant that still works is used again.
 * @throws BerthError `remote_auth_*`, `secret_missing`
 */
export async function prepareRemoteLogin(plan: Plan, deps: RemoteLoginDeps): Promise<void> {
  const { server, remoteAuth } = plan;
  if (server.kind !== 'remote' || remoteAuth === undefined) return;
  if (remoteAuth.bearerToken !== undefined || !remoteAuth.enabled) return;
  const url = new URL(server.url);
  const now = deps.now ?? Date.now;
  const ca = readCaBundle(plan.caBundle);
  const isChosen = remoteAuth.issuer !== undefined || remoteAuth.tokenUrl !== undefined;
  const fetch = await chooseDiscoveryFetch({ resource: url, isChosen, ca });
  const store = openGrantStore(deps.secrets, nameWorkloadGrant(plan.name));
  const own = createGuardedFetch({
    allowPrivate: true,
    timeoutMs: PROBE_MS,
    ...(ca === undefined ? {} : { ca }),
  });
  const forwarded = await resolveForwardHeaders(plan, deps.secrets);
  const probe = (headers: Record<string, string>) =>
    probeRemote(url, plan.transport === 'sse', { ...forwarded, ...headers }, own);
  const works = async (token: string) => !(await probe({ authorization: `Bearer ${token}` })).asksForLogin;
  if (await recallLogin(await store.load(), { store, fetch, now, log: () => undefined }, works)) return;

  const answer = await probe({});
  // A server may ask for its token later than at the first request; its metadata tells.
  const asks = answer.asksForLogin || isChosen || (await hasMetadata(url, fetch));
  if (!asks) return;
  if (!deps.isTerminal && !remoteAuth.skipBrowser) {
    throw new BerthError(
      'remote_auth_needs_terminal',
      `${url.host} asks for a login, and there is no terminal to show its link in.`,
      {
        at: { flag: '--remote-auth-skip-browser' },
        fix: 'Run it in a terminal, add --remote-auth-skip-browser to have the link printed, or give --remote-auth-bearer-token-file.',
      },
    );
  }
  const place = await discoverLogin(url, remoteAuth, answer.challenge, fetch);
  const secretName = remoteAuth.clientSecret;
  const clientSecret = secretName === undefined ? undefined : await deps.secrets.get(secretName);
  const grant = await logIn(
    place.server,
    {
      client: { clientId: remoteAuth.clientId, clientSecret, metadataUrl: deps.clientMetadataUrl },
      scopes: place.scopes,
      scopeParamName: remoteAuth.scopeParamName,
      resource: chooseResource(plan, url),
      callbackPort: remoteAuth.callbackPort,
      timeoutMs: remoteAuth.timeoutMs,
    },
    {
      fetch,
      now,
      signal: deps.signal,
      showLink: (link) => deps.showLink(link, deps.isTerminal && !remoteAuth.skipBrowser),
    },
  );
  await store.save(grant);
}

async function hasMetadata(url: URL, fetch: typeof globalThis.fetch): Promise<boolean> {
  try {
    return (await findResourceMetadata(fetch, url, undefined)) !== undefined;
  } catch (error) {
    // What cannot be used is no reason to fail where nobody asked for a token.
    if (error instanceof BerthError) return false;
    throw error;
  }
}

/** Whether the login of before still serves; true as well while only the authorization server is away. */
async function recallLogin(
  grant: Grant | undefined,
  deps: GrantKeeperDeps,
  works: (token: string) => Promise<boolean>,
): Promise<boolean> {
  if (grant === undefined) return false;
  const keeper = createGrantKeeper(grant, deps);
  try {
    if (await works(await keeper.token())) return true;
    return grant.refreshToken !== undefined && (await works(await keeper.renew()));
  } catch (error) {
    if (!(error instanceof BerthError)) throw error;
    if (error.code === 'remote_auth_lost') return false;
    // That is no reason to bother a person: the supervisor tries on.
    if (error.code === 'remote_auth_unavailable') return true;
    throw error;
  }
}
