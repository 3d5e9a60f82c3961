import type { CatalogReader, EntryCard } from '../catalog-reader.ts';
import { relativeLink } from './relative-link.ts';

/** What the search of an exported list is answered from: its `href` is relative to the folder of the registry. */
export type IndexedEntry = EntryCard;

const STEP = 500;

/** Where the index of a registry is, root-relative. */
export function searchIndexPath(registry: string): string {
  return `/catalog/${registry}/search.json`;
}

/** The latest versions of a type that are seen in a registry, in order of name. */
export function* listCards(
  catalog: CatalogReader,
  registry: string,
  type: EntryCard['type'],
): Generator<EntryCard> {
  let cursor: string | undefined;
  do {
    const filters = { type, q: '', tag: undefined, transport: undefined, package: undefined, cursor };
    const page = catalog.listEntries(registry, filters, STEP);
    if (page.refused) throw new TypeError(`the list of ${registry} is refused: ${page.detail}`);
    yield* page.entries;
    cursor = page.next;
  } while (cursor !== undefined);
}

/**
 * The index of a registry as JSON text.
 * @param locate where in the export the page of an entry is
 */
export function writeSearchIndex(
  registry: string,
  cards: readonly EntryCard[],
  locate: (href: string) => string,
): string {
  const entries = cards.map(
    (card): IndexedEntry => ({
      ...card,
      href: relativeLink(`/catalog/${registry}/`, locate(card.href)),
    }),
  );
  return JSON.stringify({ entries });
}
