import { addItems, findNewest, type ItemSet } from './item-set.ts';
import type { SavedWalk } from './saved-walk.ts';
import type { Upstream } from './upstream.ts';
import { walkServers } from './walk-servers.ts';
import { walkSkills } from './walk-skills.ts';

/** A walk that is done; without `since` the next one cannot ask for changes. */
export interface RegistryWalk extends Omit<SavedWalk, 'since' | 'digest'> {
  readonly since: string | undefined;
}

const DAY_MS = 86_400_000;
/** Asked for twice, against clocks that differ and changes that become visible late. */
const OVERLAP_MS = 300_000;

/**
 * Brings what is known of a registry up to date: asks for changes when something is known and the last full walk is
 * less than a day old, else walks everything (contract 12.15). What is known is not changed.
 *
 * @throws BerthError when anything fails; then nothing of it counts
 */
export async function walkRegistry(
  upstream: Upstream,
  saved: SavedWalk | undefined,
  now: number,
): Promise<RegistryWalk> {
  const age = now - (saved?.fullWalkAt ?? Number.NaN);
  if (saved && age >= 0 && age < DAY_MS) {
    const changes = await walkServers(upstream, saved.since);
    if (changes) {
      const servers: ItemSet = new Map(saved.servers);
      addItems(servers, 'server', changes.items);
      const skills = await walkSkills(upstream, changes.version, saved, false);
      const since = changes.items.length === 0 ? saved.since : (startNext(changes.date, now) ?? saved.since);
      return { ...skills, servers, fullWalkAt: saved.fullWalkAt, since };
    }
  }
  const walk = await walkServers(upstream);
  if (!walk) throw new Error('a walk without a time is never refused for its time');
  const servers: ItemSet = new Map();
  addItems(servers, 'server', walk.items);
  const skills = await walkSkills(upstream, walk.version, saved, true);
  const since = startNext(walk.date ?? findNewest(servers, skills.skills), now);
  return { ...skills, servers, fullWalkAt: now, since };
}

/** The earlier of both clocks, whichever of them is wrong. */
function startNext(theirs: number | undefined, ours: number): string | undefined {
  if (theirs === undefined) return undefined;
  return new Date(Math.min(theirs, ours) - OVERLAP_MS).toISOString().replace(/\.\d+Z$/, 'Z');
}
