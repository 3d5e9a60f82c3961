import type { IndexedEntry } from '../../../../server/site/export/search-index.ts';

/** What a list is narrowed by; all that is given must hold. */
export interface ListFilters {
  readonly type: IndexedEntry['type'];
  /** Every word must begin one of the entry. */
  readonly q: string;
  readonly tag: string | undefined;
  readonly transport: string | undefined;
  readonly package: string | undefined;
}

/** What a word is worth, by where it is found. */
const WEIGHTS = { name: 8, title: 6, tags: 4, description: 1 } as const;

/** The entries that pass, best first, and in order of name where nothing is searched for. */
export function searchEntries(
  entries: readonly IndexedEntry[],
  filters: ListFilters,
): readonly IndexedEntry[] {
  const words = wordsOf(filters.q);
  const hits: { readonly entry: IndexedEntry; readonly score: number }[] = [];
  for (const entry of entries) {
    const score = passes(entry, filters) ? rate(entry, words) : undefined;
    if (score !== undefined) hits.push({ entry, score });
  }
  return hits.sort((a, b) => b.score - a.score).map(({ entry }) => entry);
}

function passes(entry: IndexedEntry, { type, tag, transport, package: pack }: ListFilters): boolean {
  return (
    entry.type === type &&
    (tag === undefined || entry.tags.includes(tag)) &&
    (transport === undefined || entry.transports.includes(transport)) &&
    (pack === undefined || entry.packages.includes(pack))
  );
}

/** Undefined when a word is nowhere; whole words count twice. */
function rate(entry: IndexedEntry, words: readonly string[]): number | undefined {
  const fields = (Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[]).map((field) => ({
    words: wordsOf([entry[field]].flat().join(' ')),
    weight: WEIGHTS[field],
  }));
  let score = 0;
  for (const word of words) {
    const best = Math.max(
      ...fields.map(({ words: own, weight }) =>
        own.includes(word) ? 2 * weight : own.some((one) => one.startsWith(word)) ? weight : 0,
      ),
    );
    if (best === 0) return undefined;
    score += best;
  }
  return score;
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
