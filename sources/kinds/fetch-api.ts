import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiSource } from '../config/schema.ts';
import { BerthError } from '../errors.ts';
import type { ResolveHost } from '../net/address-guard.ts';
import { createGuardedFetch } from '../net/guarded-fetch.ts';
import { createAuthorizer, type TokenStore } from './api/authorizer.ts';
import { readEndpoint } from './api/endpoint.ts';
import { writeContent } from './api/item-set.ts';
import { placeSavedWalk, readSavedWalk, saveWalk } from './api/saved-walk.ts';
import { createUpstream } from './api/upstream.ts';
import { WalkBudget } from './api/walk-budget.ts';
import { walkRegistry } from './api/walk-registry.ts';
import { digestBytes, digestPairs } from './digest-files.ts';
import type { Fetched, FetchSource } from './fetched.ts';
import { takeTurns } from './git/take-turns.ts';
import { maxTotalBytes } from './source-bounds.ts';

export interface FetchApiOptions {
  /** Whether the endpoint may be at a private address: true for sources of the configuration file. */
  readonly allowPrivate: boolean;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Waits before a request is tried again. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Milliseconds for all requests of one fetch. Default 5 minutes. */
  readonly totalMs?: number;
  readonly resolve?: ResolveHost;
}

const defaultTimeoutMs = 10_000;
const FILE = 'upstream.json';

/**
 * Makes the fetcher of `api` sources (contract 2, 12.15): any registry of the v0.1 API, another instance of this
 * service among them. It brings one catalog of form 2 with every version of every server and skill, status and dates
 * included. With `incremental` it keeps what it read below `dataDir/api` and asks for changes.
 *
 * The fetcher throws BerthError `source_not_found`, `source_denied`, `source_unreachable`, `source_timeout`,
 * `source_invalid`, `source_too_large`, `source_redirect`, `source_private_address`, `source_url_insecure`,
 * `source_secret_unreadable`, `source_unsaved`; the signal's reason when that is aborted. Then nothing has changed.
 */
export function createFetchApi(options: FetchApiOptions): FetchSource<ApiSource> {
  const now = options.now ?? Date.now;
  const totalMs = options.totalMs ?? 300_000;
  const wait = options.wait ?? ((ms, signal) => sleep(ms, undefined, { signal }));
  const tokens: TokenStore = new Map();
  const fetches = new Map<number, typeof globalThis.fetch>();
  const pickFetch = (timeoutMs: number) => {
    const known = fetches.get(timeoutMs);
    if (known) return known;
    const { allowPrivate, resolve } = options;
    const bounds = { timeoutMs, maxBytes: maxTotalBytes };
    const made = createGuardedFetch({ allowPrivate, ...bounds, ...(resolve ? { resolve } : {}) });
    fetches.set(timeoutMs, made);
    return made;
  };

  return async (source, context) => {
    const { base, basic } = readEndpoint(source.endpoint, source.auth !== undefined);
    const path = placeSavedWalk(context.dataDir, base, source, context.baseDir);

    return takeTurns(path, async () => {
      const deadline = AbortSignal.timeout(totalMs);
      const signal = context.signal ? AbortSignal.any([context.signal, deadline]) : deadline;
      const fetch = context.fetch ?? pickFetch(source.timeout ?? defaultTimeoutMs);
      const { auth } = source;
      const { baseDir } = context;
      const authorizer = createAuthorizer({ auth, basic, baseDir, fetch, signal, tokens, now });
      const budget = new WalkBudget();
      const upstream = createUpstream({ base, fetch, authorizer, budget, signal, wait, now });
      const saved = source.incremental ? await readSavedWalk(path) : undefined;
      try {
        const walk = await walkRegistry(upstream, saved, now());
        const content = writeContent(walk.servers, walk.skills);
        if (source.incremental) await saveWalk(path, saved, walk, content);
        return presentContent(content, base, context.knownDigest);
      } catch (error) {
        context.signal?.throwIfAborted();
        throw deadline.aborted ? refuseLength(totalMs, base) : error;
      }
    });
  };
}

function presentContent(
  content: string,
  base: string,
  knownDigest: string | undefined,
): Fetched | 'unchanged' {
  const bytes = Buffer.from(content);
  const file = digestBytes(bytes);
  const digest = digestPairs([[FILE, file]]);
  if (digest === knownDigest) return 'unchanged';
  return {
    layout: 'file',
    files: [{ path: FILE, bytes }],
    origin: { kind: 'api', url: base, files: { [FILE]: file } },
    digest,
  };
}

function refuseLength(totalMs: number, base: string): BerthError {
  const what = `The registry did not deliver everything within ${totalMs / 1000} s.`;
  return new BerthError('source_timeout', what, {
    at: { url: base },
    fix: 'Name a registry that is faster or holds less.',
  });
}
