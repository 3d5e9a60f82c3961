import { hash } from 'node:crypto';
import { BerthError } from '../../sources/errors.ts';
import { createGuardedFetch } from '../../sources/net/guarded-fetch.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { chooseDiscoveryFetch } from './choose-discovery-fetch.ts';
import { findAuthorizationServer } from './find-authorization-server.ts';
import { findResourceMetadata } from './find-resource-metadata.ts';
import { openGrantStore } from './grant.ts';
import { createGrantKeeper, type GrantKeeper } from './grant-keeper.ts';
import { logIn } from './log-in.ts';
import { readChallenge } from './read-challenge.ts';

const TIMEOUT_MS = 10_000;
const DEFAULT_SCOPES = ['openid', 'profile', 'email'];

export interface RegistryLoginWish {
  /** What `/v0.1/servers` comes after. */
  readonly base: string;
  readonly issuer: string | undefined;
  readonly clientId: string | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly callbackPort: number;
  /** Milliseconds a person has. */
  readonly timeoutMs: number;
}

export interface RegistryLoginDeps {
  readonly secrets: SecretStore;
  readonly showLink: (url: string) => void;
  /** PEM of `--berth-ca-bundle`. */
  readonly ca: string | Buffer | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * Logs in at the identity provider of a registry (contract 2): the registry's challenge and metadata lead there, PKCE
 * and dynamic registration do the rest. Answers the issuer.
 * @throws BerthError `registry_open` when the registry asks for no token, and `remote_auth_*`
 */
export async function logInToRegistry(wish: RegistryLoginWish, deps: RegistryLoginDeps): Promise<string> {
  const now = deps.now ?? Date.now;
  const list = new URL(`${wish.base}/v0.1/servers`);
  const own = createGuardedFetch({ allowPrivate: true, timeoutMs: TIMEOUT_MS, ...withCa(deps.ca) });
  const answer = await own(new URL('?limit=1', list), { headers: { accept: 'application/json' } });
  const challenge = readChallenge(answer.headers.get('www-authenticate'));
  await answer.body?.cancel();
  if (answer.status !== 401 && wish.issuer === undefined) {
    throw new BerthError(
      'registry_open',
      `The registry answers ${answer.status} without a token: there is nothing to log in to.`,
      {
        at: { url: wish.base },
        fix: 'Use it as it is, or name the identity provider with --issuer.',
      },
    );
  }
  const fetch = await chooseDiscoveryFetch({
    resource: list,
    isChosen: wish.issuer !== undefined,
    ca: deps.ca,
  });
  // Registries describe themselves as one resource, not one for each path.
  const metadata =
    wish.issuer === undefined ? await findResourceMetadata(fetch, new URL(wish.base), challenge) : undefined;
  const issuer = wish.issuer ?? metadata?.authorization_servers?.[0];
  if (issuer === undefined) {
    throw new BerthError('remote_auth_discovery', 'The registry does not say where to log in (RFC 9728).', {
      at: { url: wish.base },
      fix: 'Name the identity provider with --issuer.',
    });
  }
  const grant = await logIn(
    await findAuthorizationServer(fetch, issuer),
    {
      client: { clientId: wish.clientId, clientSecret: undefined, metadataUrl: undefined },
      scopes: wish.scopes ?? metadata?.scopes_supported ?? DEFAULT_SCOPES,
      scopeParamName: undefined,
      resource: metadata?.resource,
      callbackPort: wish.callbackPort,
      timeoutMs: wish.timeoutMs,
    },
    { fetch, showLink: deps.showLink, now },
  );
  await openGrantStore(deps.secrets, nameRegistryGrant(wish.base)).save(grant);
  return issuer;
}

/**
 * Reads tokens for registries, renewed when their end is near; undefined without a login. Of one login at a time, so
 * that a refresh token is never used twice.
 * @returns throws BerthError `registry_login_ended` when someone must log in again, `remote_auth_unavailable`
 */
export function createRegistryTokens(
  secrets: () => Promise<SecretStore>,
  ca: string | Buffer | undefined,
  now: () => number = Date.now,
): (base: string) => Promise<string | undefined> {
  const keepers = new Map<string, Promise<GrantKeeper | undefined>>();
  const open = async (base: string): Promise<GrantKeeper | undefined> => {
    const store = openGrantStore(await secrets(), nameRegistryGrant(base));
    const grant = await store.load();
    if (grant === undefined) return undefined;
    // The address of the provider was judged, or chosen, when someone logged in.
    const fetch = createGuardedFetch({ allowPrivate: true, timeoutMs: TIMEOUT_MS, ...withCa(ca) });
    return createGrantKeeper(grant, { store, fetch, now, log: () => undefined });
  };
  return async (base) => {
    const opened = keepers.get(base) ?? open(base);
    keepers.set(base, opened);
    try {
      return await (await opened)?.token();
    } catch (error) {
      if (!(error instanceof BerthError) || error.code !== 'remote_auth_lost') throw error;
      throw new BerthError('registry_login_ended', 'The login to the registry has ended.', {
        at: { url: base },
        fix: 'Log in again with berth registry login.',
        cause: error,
      });
    }
  };
}

/** Forgets a login. Answers whether there was one. */
export async function logOutOfRegistry(base: string, secrets: SecretStore): Promise<boolean> {
  return secrets.remove(nameRegistryGrant(base));
}

function nameRegistryGrant(base: string): string {
  return `berth.registry.${hash('sha256', base, 'hex').slice(0, 24)}.grant`;
}

function withCa(ca: string | Buffer | undefined): { ca?: string | Buffer } {
  return ca === undefined ? {} : { ca };
}
