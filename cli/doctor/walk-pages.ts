import type { Ask, Reply } from './ask-registry.ts';
import type { CheckUp } from './check-up.ts';
import { type Listing, readKey, readListing } from './read-listing.ts';

/** Pages read of one list at most. */
export const MOST_PAGES = 50;
const URL_SAFE = /^[A-Za-z0-9_.~-]+$/;

export interface Walk {
  readonly items: readonly unknown[];
  /** The end of the list was reached. */
  readonly complete: boolean;
}

export interface WalkOptions {
  /** The query of the first page, from `?` on; later pages add the cursor to it. */
  readonly query: string;
  /** Whether the client sends cursors back as they came, as VS Code does, or encoded. */
  readonly cursors: 'raw' | 'encoded';
  /** Looks at each page. */
  readonly onPage?: (listing: Listing, reply: Reply) => void;
}

/**
 * Pages through a list of servers as a client does. What is wrong on the way is told to the
 * check-up; undefined when not even the first page could be read.
 */
export async function walkPages(
  ask: Ask,
  checkUp: CheckUp,
  path: string,
  options: WalkOptions,
): Promise<Walk | undefined> {
  const items: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; page <= MOST_PAGES; page++) {
    const sent = options.cursors === 'encoded' && cursor !== undefined ? encodeURIComponent(cursor) : cursor;
    const reply = await ask(`${path}${options.query}${sent === undefined ? '' : `&cursor=${sent}`}`);
    const what = page === 1 ? 'list of servers' : 'next page of the list';
    if (!checkUp.expectStatus(reply, 200, what, 'the client shows no servers')) {
      return page === 1 ? undefined : { items, complete: false };
    }
    const listing = readListing(reply.json);
    if (typeof listing === 'string') {
      checkUp.fail(what, `${listing} (${reply.target}): the client fails on it`);
      return page === 1 ? undefined : { items, complete: false };
    }
    options.onPage?.(listing, reply);
    items.push(...listing.items);
    cursor = listing.nextCursor;
    if (cursor === undefined) {
      checkRepetition(items, checkUp);
      return { items, complete: true };
    }
    if (options.cursors === 'raw' && !URL_SAFE.test(cursor)) {
      checkUp.fail(
        'cursor',
        `the cursor ${JSON.stringify(cursor)} has characters that are not URL-safe: VS Code sends cursors back unencoded, so only A-Z a-z 0-9 - _ . ~ arrive intact`,
      );
    }
    if (cursors.has(cursor)) {
      checkUp.fail('cursor', 'the same cursor came twice: a client that follows it never ends');
      return { items, complete: false };
    }
    cursors.add(cursor);
  }
  checkRepetition(items, checkUp);
  return { items, complete: false };
}

function checkRepetition(items: readonly unknown[], checkUp: CheckUp): void {
  const seen = new Set<string>();
  for (const item of items) {
    const key = readKey(item);
    if (!key) continue;
    const text = `${key.name}@${key.version}`;
    if (seen.has(text)) {
      checkUp.fail(
        'paging',
        `${text} is listed more than once: walking the pages must give every item exactly once`,
      );
      return;
    }
    seen.add(text);
  }
}
