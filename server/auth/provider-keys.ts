import { BerthError } from '../../sources/errors.ts';
import { type KeySet, readKeySet, selectKeys, type VerificationKey } from './key-set.ts';

/** A set older than this is fetched again in the background. */
const REFRESH_MS = 600_000;
/** How long after a refresh that failed, or one for an unknown key, the next may start (contract 7). */
const COOL_DOWN_MS = 30_000;
/** How long after a failure the first set is tried again: well within the 35 s of contract 12.12. */
const RETRY_MS = 5_000;

/** The keys of one provider. */
export interface ProviderKeys {
  /**
   * The keys that may have signed a token; at once when they are known, which is nearly always. An unknown `kid` has
   * the set fetched again, at most once per 30 s.
   * @throws whatever kept the first set from being loaded; later failures leave the set that is known in use
   */
  find(
    alg: string,
    kid: string | undefined,
  ): readonly VerificationKey[] | Promise<readonly VerificationKey[]>;
  /**
   * Fetches the set again because no known key verified a token; at most once per 30 s.
   * @returns whether it was fetched
   */
  refreshForUnknown(): Promise<boolean>;
  /** Starts a refresh in the background when the set has become old. Costs two comparisons otherwise. */
  refreshWhenDue(at: number): void;
}

/**
 * Caches the key set of a provider: loaded on first use, refreshed by age and for unknown keys, served stale while
 * the provider is down. All who wait share one fetch.
 * @param load fetches the JWKS document
 * @param report told about each failed fetch
 */
export function createProviderKeys(
  load: () => Promise<unknown>,
  now: () => number,
  report: (error: unknown) => void,
): ProviderKeys {
  let set: KeySet | undefined;
  let loading: Promise<void> | undefined;
  let dueAt = Number.NEGATIVE_INFINITY;
  let unknownAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;

  /** A moment further away than any pause was set before the clock went back: nothing waits for it. */
  const isDue = (at: number): boolean => at >= dueAt || dueAt - at > REFRESH_MS;

  const refresh = async (): Promise<void> => {
    try {
      set = readKeySet(await load(), set);
      dueAt = now() + REFRESH_MS;
    } catch (error) {
      failure = error;
      dueAt = now() + (set ? COOL_DOWN_MS : RETRY_MS);
      report(error);
    }
  };
  const share = (): Promise<void> => {
    loading ??= refresh().finally(() => {
      loading = undefined;
    });
    return loading;
  };
  const loadFirst = async (): Promise<KeySet> => {
    if (loading || isDue(now())) await share();
    if (set) return set;
    throw failure ?? new BerthError('provider_keys', 'The keys of the provider are not loaded.');
  };
  const findUnknown = async (alg: string, kid: string | undefined): Promise<readonly VerificationKey[]> => {
    if (!set) return selectKeys(await loadFirst(), alg, kid);
    await loading;
    const arrived = selectKeys(set, alg, kid);
    if (arrived.length > 0 || !(await keys.refreshForUnknown())) return arrived;
    return selectKeys(set, alg, kid);
  };
  const keys: ProviderKeys = {
    find(alg, kid) {
      if (!set) return findUnknown(alg, kid);
      keys.refreshWhenDue(now());
      const found = selectKeys(set, alg, kid);
      return found.length > 0 ? found : findUnknown(alg, kid);
    },
    async refreshForUnknown() {
      const since = now() - unknownAt;
      if (since >= 0 && since < COOL_DOWN_MS) {
        if (!loading) return false;
        await loading;
        return true;
      }
      unknownAt = now();
      await share();
      return true;
    },
    refreshWhenDue(at) {
      if (set && isDue(at)) void share();
    },
  };
  return keys;
}
