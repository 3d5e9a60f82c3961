import { isPlainObject } from '../../sources/model/plain-object.ts';
import type { Ask } from './ask-registry.ts';
import { CheckUp } from './check-up.ts';
import { readListing } from './read-listing.ts';
import { MOST_PAGES, walkPages } from './walk-pages.ts';

/** Another Berth that has this registry as an `api` source: every version once, then only what changed. */
export async function playApiSource(ask: Ask): Promise<CheckUp> {
  const checkUp = new CheckUp('api source of another berth');
  const path = '/v0.1/servers';
  const walk = await walkPages(ask, checkUp, path, { query: '?limit=100', cursors: 'encoded' });
  if (!walk) return checkUp;
  if (!checkUp.hasFailed) {
    const end = walk.complete ? '' : ` (the first ${MOST_PAGES} pages)`;
    checkUp.ok(`all ${walk.items.length} versions, page by page${end}`);
  }
  const future = await ask(`${path}?limit=100&updated_since=2999-01-01T00:00:00Z`);
  const what = 'updated_since';
  if (
    checkUp.expectStatus(future, 200, what, 'changes cannot be asked for, so every sync walks everything')
  ) {
    const listing = readListing(future.json);
    const count = typeof listing === 'string' ? undefined : listing.items.length;
    checkUp.check(
      count === 0,
      what,
      `${future.target} gives ${count ?? 'no list'} instead of an empty list: the parameter is ignored, so every sync copies everything`,
    );
  }
  const skills = await ask('/v0.1/x/dev.toolhive/skills?limit=100');
  if (skills.status === 404) {
    checkUp.skip('skills', 'this registry has no skills endpoint');
  } else if (checkUp.expectStatus(skills, 200, 'skills', 'skills are not copied')) {
    const listed = isPlainObject(skills.json) && Array.isArray(skills.json.skills);
    checkUp.check(listed, 'skills', `${skills.target} has no list \`skills\``);
  }
  return checkUp;
}
