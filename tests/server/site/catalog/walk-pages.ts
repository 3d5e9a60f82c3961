import { expect } from 'vitest';
import type {
  CatalogReader,
  EntryCard,
  EntryDetail,
  EntryFilters,
  EntryPage,
} from '../../../../server/site/catalog-reader.ts';
import type { Refusal } from '../../../../server/site/site-locals.ts';

export const NO_FILTERS: EntryFilters = {
  type: 'server',
  q: '',
  tag: undefined,
  transport: undefined,
  package: undefined,
  cursor: undefined,
};

/** The answer when it is no refusal. */
export function admitted<T extends EntryPage | EntryDetail>(answer: T | Refusal): T {
  if (answer.refused) throw new Error(`refused: ${answer.status} ${answer.code}`);
  return answer;
}

/** The cards of all pages, one behind the other. */
export function walkPages(
  reader: CatalogReader,
  registry: string,
  filters: Partial<EntryFilters>,
  limit: number,
): EntryCard[] {
  const cards: EntryCard[] = [];
  let cursor: string | undefined;
  do {
    const page = admitted(reader.listEntries(registry, { ...NO_FILTERS, ...filters, cursor }, limit));
    cards.push(...page.entries);
    expect(page.entries.length).toBeLessThanOrEqual(limit);
    if (page.next) expect(page.entries.length).toBe(limit);
    // A walk that goes in circles fails instead of going on for ever.
    expect(new Set(cards.map(({ name }) => name)).size).toBe(cards.length);
    cursor = page.next;
  } while (cursor !== undefined);
  return cards;
}
