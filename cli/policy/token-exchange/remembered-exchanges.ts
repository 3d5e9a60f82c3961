import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ExchangeToken } from './exchange-token.ts';

const MAX_REMEMBERED = 10_000;
/** A token is given up this long before it ends (or a tenth of its life before), so that it does not end on the way. */
const MARGIN_MS = 30_000;

interface Remembered {
  readonly token: string;
  readonly until: number;
}

/**
 * Exchanges each subject token once until the exchanged one ends (contract 5); requests that come together share one
 * round trip. Subject tokens are kept as digests only.
 * @param now milliseconds since the epoch
 */
export function rememberExchanges(
  exchange: ExchangeToken,
  now: () => number,
): (subjectToken: string, subjectEndsAt: number) => Promise<string> {
  const known = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });
  const underway = new Map<string, Promise<string>>();
  return (subjectToken, subjectEndsAt) => {
    const digest = hash('sha256', subjectToken, 'base64');
    const found = known.get(digest);
    if (found !== undefined && found.until > now()) return Promise.resolve(found.token);
    const waiting = underway.get(digest);
    if (waiting !== undefined) return waiting;
    const first = exchange(subjectToken)
      .then(({ token, expiresIn }) => {
        const life = expiresIn * 1000;
        const until = now() + life - Math.min(MARGIN_MS, life / 10);
        known.set(digest, { token, until: Math.min(until, subjectEndsAt) });
        return token;
      })
      .finally(() => underway.delete(digest));
    underway.set(digest, first);
    return first;
  };
}
