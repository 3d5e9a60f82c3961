import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ResponseBodyError } from 'oauth4webapi';
import type { AuthLog } from '../../auth/provider.ts';
import { describeCause } from './explain-failure.ts';
import type { ProviderClient } from './provider-client.ts';
import type { SignedInSession } from './session.ts';

/** What came of a refresh: `refused` for good, or `unavailable` for now. */
export type Refreshed = SignedInSession | 'refused' | 'unavailable';

export interface SessionRefresher {
  /** Gets a new access token for a session with its refresh token. Never throws. */
  refresh(session: SignedInSession, client: ProviderClient): Promise<Refreshed>;
}

const MAX_REMEMBERED = 10_000;
/** Requests that were on their way with the older cookie arrive within this time. */
const REMEMBERED_MS = 60_000;
/** A provider that is down would hold up every page. */
const UNAVAILABLE_MS = 5_000;

/**
 * Refreshes sessions, each refresh token once: a provider that rotates them takes the second use of one for a theft, and
 * pages are asked for side by side. What came of it is kept for a minute, for requests that still bring the older cookie.
 */
export function createSessionRefresher(now: () => number, log: AuthLog): SessionRefresher {
  const underway = new LRUCache<string, { readonly result: Promise<Refreshed>; readonly until: number }>({
    max: MAX_REMEMBERED,
  });
  const ask = async (session: SignedInSession, client: ProviderClient): Promise<Refreshed> => {
    const { refreshToken, idToken } = session;
    if (refreshToken === undefined) return 'refused';
    try {
      const tokens = await client.refresh(refreshToken);
      return {
        ...session,
        accessToken: tokens.accessToken,
        // Providers that do not rotate send none.
        refreshToken: tokens.refreshToken ?? refreshToken,
        idToken: tokens.idToken ?? idToken,
        expiresAt: tokens.expiresAt,
      };
    } catch (error) {
      log('warn', { error: describeCause(error) }, 'a session of the site could not be refreshed');
      return error instanceof ResponseBodyError && error.error === 'invalid_grant'
        ? 'refused'
        : 'unavailable';
    }
  };
  return {
    refresh(session, client) {
      const digest = hash('sha256', `${session.id} ${session.refreshToken}`, 'base64');
      const known = underway.get(digest);
      if (known !== undefined && now() < known.until && known.until <= now() + REMEMBERED_MS) {
        return known.result;
      }
      const result = ask(session, client);
      underway.set(digest, { result, until: now() + REMEMBERED_MS });
      void result.then((refreshed) => {
        if (refreshed === 'unavailable') underway.set(digest, { result, until: now() + UNAVAILABLE_MS });
      });
      return result;
    },
  };
}
