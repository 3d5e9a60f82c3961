import { refuseAnswer } from './refuse-answer.ts';
import type { Upstream } from './upstream.ts';
import { walkPages } from './walk-pages.ts';

export interface ServerWalk {
  readonly items: readonly unknown[];
  /** The registry's clock when the walk began. */
  readonly date: number | undefined;
  /** `/v0.1`, or `/v0` of a registry that has no other. */
  readonly version: string;
}

/**
 * Walks the servers of a registry, in all versions.
 *
 * @param since RFC 3339; only what was changed from then on
 * @returns undefined when the registry does not take `since`
 * @throws BerthError `source_not_found`, `source_denied` and those of `walkPages`
 */
export async function walkServers(upstream: Upstream, since?: string): Promise<ServerWalk | undefined> {
  const options = {
    member: 'servers',
    ...(since === undefined ? {} : { filters: { updated_since: since } }),
  } as const;
  const walk = await walkPages(upstream, { path: '/v0.1/servers', ...options });
  if (!walk.refused) return { ...walk, version: '/v0.1' };
  if (walk.refused.status === 404) {
    const older = await walkPages(upstream, { path: '/v0/servers', ...options });
    if (!older.refused) return { ...older, version: '/v0' };
    if (since !== undefined && older.refused.status === 400) return undefined;
  }
  if (since !== undefined && walk.refused.status === 400) return undefined;
  throw refuseAnswer(walk.refused.status, walk.refused.url);
}
