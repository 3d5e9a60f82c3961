import {
  processRefreshTokenResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import { makeClient, requestOptions } from '../../server/auth/oauth-client.ts';
import { BerthError, messageOf } from '../../sources/errors.ts';
import type { Grant, GrantStore } from './grant.ts';
import { dropIdToken, toLibraryServer } from './library-server.ts';

/** A token is renewed this long before it ends, or a fifth of its life before. */
const MARGIN_MS = 60_000;
/** A token this near to its end, or a tenth of its life, might end on the way. */
const SLACK_MS = 5_000;

export interface GrantKeeperDeps {
  readonly store: GrantStore;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: (level: 'info' | 'warn', fields: Readonly<Record<string, unknown>>, message: string) => void;
}

/** Keeps the access token of a grant fresh. */
export interface GrantKeeper {
  /**
   * A token that has not ended.
   * @throws BerthError `remote_auth_unavailable` while the authorization server is away, `remote_auth_lost` when
   *   someone must log in again
   */
  token(): Promise<string>;
  /** Gets a new token although the old one has not ended: the server refused it. */
  renew(): Promise<string>;
}

/** Refreshes ahead of expiry and one at a time (contract 6); a rotated refresh token is stored before it is used. */
export function createGrantKeeper(first: Grant, deps: GrantKeeperDeps): GrantKeeper {
  let grant = first;
  let obtainedAt = deps.now();
  let underway: Promise<string> | undefined;
  let end: BerthError | undefined;

  const keep = (next: Grant): void => {
    grant = next;
    obtainedAt = deps.now();
  };
  /** Refused, but perhaps only because another process of ours was quicker with the same refresh token. */
  const recall = async (refused: string, why: string): Promise<string> => {
    const stored = await deps.store.load();
    if (stored?.refreshToken === undefined || stored.refreshToken === refused) {
      end = lost(why);
      throw end;
    }
    keep(stored);
    return stored.accessToken;
  };

  const refresh = async (): Promise<string> => {
    if (end !== undefined) throw end;
    const { refreshToken } = grant;
    if (refreshToken === undefined) throw lost('the server gave no refresh token');
    const { client, authentication } = makeClient(grant.clientId, grant.clientSecret, grant.authMethod);
    const server = toLibraryServer({ issuer: grant.issuer, token_endpoint: grant.tokenEndpoint });
    try {
      const response = await refreshTokenGrantRequest(server, client, authentication, refreshToken, {
        ...requestOptions(deps.fetch),
        ...(grant.resource === undefined ? {} : { additionalParameters: { resource: grant.resource } }),
      });
      const tokens = await processRefreshTokenResponse(server, client, await dropIdToken(response));
      const { expiresAt: _, ...kept } = grant;
      keep({
        ...kept,
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token ?? refreshToken,
        ...(tokens.expires_in === undefined ? {} : { expiresAt: deps.now() + tokens.expires_in * 1000 }),
      });
      await deps.store.save(grant);
      return grant.accessToken;
    } catch (error) {
      if (error instanceof BerthError && error.code.startsWith('secrets_')) throw error;
      const refusal = readRefusal(error);
      if (refusal !== undefined) return recall(refreshToken, refusal);
      throw new BerthError('remote_auth_unavailable', `The token cannot be renewed: ${messageOf(error)}.`, {
        at: { url: grant.tokenEndpoint },
        fix: 'It is tried again with the next request.',
        cause: error,
      });
    }
  };
  const renew = (): Promise<string> => {
    underway ??= refresh().finally(() => {
      underway = undefined;
    });
    return underway;
  };
  return {
    renew,
    async token() {
      const { expiresAt, accessToken } = grant;
      if (expiresAt === undefined) return accessToken;
      const left = expiresAt - deps.now();
      const life = expiresAt - obtainedAt;
      if (left > Math.min(MARGIN_MS, life / 5)) return accessToken;
      if (left > 0 && grant.refreshToken === undefined) return accessToken;
      if (left <= Math.min(SLACK_MS, life / 10)) {
        return renew().catch((error: unknown) => {
          // Near its end is not at its end: while the server is away, what there is is used.
          if (accessToken === grant.accessToken && expiresAt > deps.now() && !isLost(error))
            return accessToken;
          throw error;
        });
      }
      // The token still works: nobody waits for the new one.
      renew().catch((error: unknown) =>
        deps.log('warn', { error: messageOf(error) }, 'a token could not be renewed ahead of its end'),
      );
      return accessToken;
    },
  };
}

/** Why the server said no, which only a person can change; undefined for everything that may pass by itself. */
function readRefusal(error: unknown): string | undefined {
  if (error instanceof WWWAuthenticateChallengeError)
    return error.status === 401 ? 'invalid_client' : undefined;
  return error instanceof ResponseBodyError && error.status < 500 && error.status !== 429
    ? error.error
    : undefined;
}

function isLost(error: unknown): boolean {
  return error instanceof BerthError && error.code === 'remote_auth_lost';
}

function lost(why: string): BerthError {
  return new BerthError('remote_auth_lost', `The login to the remote server has ended: ${why}.`, {
    fix: 'Log in again with berth start NAME.',
  });
}
