import type { Ask } from './ask-registry.ts';
import { CheckUp } from './check-up.ts';
import { readKey, readListing } from './read-listing.ts';
import { walkPages } from './walk-pages.ts';

const NOWHERE = 'zq-berth-doctor-finds-nothing-zq';

/** The search of VS Code, which sends the words with the first page only: the cursor has to carry them. */
export async function checkSearch(
  ask: Ask,
  checkUp: CheckUp,
  path: string,
  names: readonly string[],
): Promise<void> {
  const empty = await ask(`${path}?limit=50&version=latest&search=${NOWHERE}`);
  const listing = empty.status === 200 ? readListing(empty.json) : undefined;
  checkUp.check(
    typeof listing === 'object' && listing.items.length === 0,
    'a search without a hit',
    `${empty.target} answers ${empty.status}${typeof listing === 'object' ? ` with ${listing.items.length} items` : ''} instead of 200 with an empty list`,
  );
  const word = chooseWord(names);
  const what = 'the cursor carries the search';
  if (word === undefined) {
    checkUp.skip(what, 'no word occurs in some names but not in all, so page 2 would prove nothing');
    return;
  }
  const search = `search=${encodeURIComponent(word)}`;
  const hits = await walkPages(ask, new CheckUp(checkUp.client), path, {
    query: `?limit=50&version=latest&${search}`,
    cursors: 'encoded',
  });
  const found = hits?.items.flatMap((item) => readKey(item)?.name ?? []) ?? [];
  const first = await ask(`${path}?limit=1&version=latest&${search}`);
  const page = readListing(first.json);
  if (!hits?.complete || typeof page === 'string' || page.nextCursor === undefined || found.length < 2) {
    checkUp.skip(what, `the search for ${JSON.stringify(word)} has one page only`);
    return;
  }
  const second = await ask(`${path}?limit=1&version=latest&cursor=${page.nextCursor}`);
  const next = second.status === 200 ? readListing(second.json) : `it answers ${second.status}`;
  const name = typeof next === 'string' ? undefined : readKey(next.items[0])?.name;
  checkUp.check(
    name !== undefined && found.includes(name),
    what,
    typeof next === 'string'
      ? `page 2 of the search for ${JSON.stringify(word)} cannot be read: ${next}`
      : `page 2 of the search for ${JSON.stringify(word)} gives ${name ?? 'nothing'}, which is no hit: the client sends the words with page 1 only`,
  );
}

/** A word that at least two names have, and not all: the rarest, so that few pages are read. */
function chooseWord(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) {
    const words = new Set(
      name
        .toLowerCase()
        .split(/[^a-z0-9]+/)
        .filter((word) => word.length > 2),
    );
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const fitting = [...counts].filter(([, count]) => count > 1 && count < names.length);
  return fitting.sort(([a, m], [b, n]) => m - n || (a < b ? -1 : 1))[0]?.[0];
}
