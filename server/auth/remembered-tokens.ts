import { LRUCache } from 'lru-cache';
import type { Identity } from './identity.ts';
import type { VerificationKey } from './key-set.ts';
import type { ProviderKeys } from './provider-keys.ts';

/** A validated token as it is remembered; the token itself is not kept. */
export interface RememberedToken {
  readonly identity: Identity;
  /** Milliseconds since the epoch from which the token has to be validated again. */
  readonly validUntil: number;
  /** For a JWT: the key that verified it, and the set that key belongs to. */
  readonly signedBy?: { readonly key: VerificationKey; readonly keys: ProviderKeys };
}

export interface RememberedTokens {
  /** The identity of a remembered token, undefined when it is unknown, has ended, or its key was withdrawn. */
  recall(digest: string): Identity | undefined;
  remember(digest: string, token: RememberedToken): void;
}

/**
 * Remembers validated tokens by digest (contract 7). Every recall checks the end of the token and whether its key is
 * still published, and lets the key set be refreshed when it has become old: otherwise a service that only sees
 * known tokens would never learn that a key was withdrawn. After the clock went back, tokens are validated again: what
 * was to be remembered for a minute must not be remembered for the hour that comes twice.
 * @param max how many tokens; the least recently used go first
 */
export function createRememberedTokens(max: number, now: () => number): RememberedTokens {
  const tokens = new LRUCache<string, RememberedToken & { readonly since: number }>({ max });
  return {
    recall(digest) {
      const token = tokens.get(digest);
      if (token === undefined) return undefined;
      const at = now();
      token.signedBy?.keys.refreshWhenDue(at);
      const isFresh = at < token.validUntil && at >= token.since;
      if (isFresh && token.signedBy?.key.withdrawn !== true) return token.identity;
      tokens.delete(digest);
      return undefined;
    },
    remember(digest, token) {
      tokens.set(digest, { ...token, since: now() });
    },
  };
}
