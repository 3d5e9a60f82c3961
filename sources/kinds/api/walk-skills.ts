import { isPlainObject } from '../../model/plain-object.ts';
import { digestBytes } from '../digest-files.ts';
import { addItems, type ItemSet, nameOf } from './item-set.ts';
import { refuseAnswer } from './refuse-answer.ts';
import type { Upstream } from './upstream.ts';
import { walkPages } from './walk-pages.ts';

export interface SkillWalk {
  readonly skills: ItemSet;
  /** Digest of each skill, by name, as it stood in the list: what is equal next time is not asked for again. */
  readonly listed: Readonly<Record<string, string>>;
}

const AT_ONCE = 4;
/** A registry that has no such path says so with one of these. */
const ABSENT = new Set([404, 405, 410, 501]);

/**
 * Walks the skills of a registry. Their list cannot be asked for changes and may hold latest versions only, so it is
 * always walked, and the versions of those that are not listed as they were before are asked for one by one.
 *
 * @param version of the API, such as `/v0.1`
 * @param before what is known; undefined when nothing is
 * @param full asks for the versions of every skill
 * @throws BerthError of `walkPages`; `source_denied` and the like when skills that were there are refused now
 */
export async function walkSkills(
  upstream: Upstream,
  version: string,
  before: SkillWalk | undefined,
  full: boolean,
): Promise<SkillWalk> {
  const path = `${version}/x/dev.toolhive/skills`;
  const walk = await walkPages(upstream, { path, member: 'skills', optional: true });
  if (walk.refused) {
    if (before === undefined || before.skills.size === 0) return { skills: new Map(), listed: {} };
    if (!ABSENT.has(walk.refused.status)) throw refuseAnswer(walk.refused.status, walk.refused.url);
    return full ? { skills: new Map(), listed: {} } : before;
  }

  const listing: ItemSet = new Map();
  addItems(listing, 'skill', walk.items);
  const byName = groupByName(listing);
  const listed: Record<string, string> = Object.fromEntries(
    [...byName].map(([name, items]) => [name, digestBytes(JSON.stringify(items))]),
  );
  const allListed = [...byName.values()].some((items) => items.length > 1);
  const known = groupByName(full || before === undefined ? new Map() : before.skills);
  const skills: ItemSet = new Map(listing);
  const asked: string[] = [];
  for (const name of byName.keys()) {
    const same = known.get(name);
    if (allListed || !isAddressable(name)) continue;
    if (same !== undefined && before?.listed[name] === listed[name]) addItems(skills, 'skill', same);
    else asked.push(name);
  }
  await eachOf(asked, async (name) => addItems(skills, 'skill', await readVersions(upstream, path, name)));
  return { skills, listed };
}

async function readVersions(upstream: Upstream, path: string, name: string): Promise<readonly unknown[]> {
  const address = name.split('/').map(encodeURIComponent).join('/');
  const walk = await walkPages(upstream, { path: `${path}/${address}/versions`, member: 'skills' });
  if (!walk.refused) return walk.items;
  // It was taken back since it was listed, or the registry knows no versions: the listed one is what there is.
  if (ABSENT.has(walk.refused.status)) return [];
  throw refuseAnswer(walk.refused.status, walk.refused.url);
}

function groupByName(set: ItemSet): Map<string, unknown[]> {
  const groups = new Map<string, unknown[]>();
  for (const item of set.values()) {
    const name = nameOf('skill', item);
    if (name === undefined || !isPlainObject(item)) continue;
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

/** Names that would lead to another path are not asked for; they are refused as entries anyway. */
function isAddressable(name: string): boolean {
  return /^[^/]*[^/.][^/]*\/[^/]*[^/.][^/]*$/.test(name);
}

/** Runs work for each of the names, a few at once; after a failure nothing new is begun. */
async function eachOf(names: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
  const rest = [...names].reverse();
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    try {
      for (let name = rest.pop(); name !== undefined; name = rest.pop()) await work(name);
    } catch (error) {
      rest.length = 0;
      throw error;
    }
  });
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  if (failed) throw failed.reason;
}
