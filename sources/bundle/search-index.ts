import type { CatalogEntry } from '../model/entry.ts';
import type { Hit } from '../model/entry-table.ts';
import { listOneEdits } from './one-edit.ts';
import { tokenize, tokenizeQuery } from './tokenize.ts';

/** Fields a word may stand in, as bits of a posting; a posting is `row << 6 | bits`. */
const NAME = 1;
const TITLE = 2;
const TAG = 4;
const TOOL = 8;
const TEXT = 16;
const NAMESPACE = 32;
const FIELD_BITS = 6;

const EXACT = 100;
const PREFIX = 60;
const TYPO = 40;
const WHOLE_NAME = 1_000_000;
const SHORT_NAME = 100_000;
const MIN_TYPO_LENGTH = 4;
/** Longer words are matched as they are: their edits would be thousands of long texts to look up. */
const MAX_TYPO_LENGTH = 40;
const MAX_ALPHABET = 64;

/** What a search runs on: sorted terms and, for each, the versions it stands in. */
export interface Postings {
  readonly terms: readonly string[];
  readonly termIndex: Pick<ReadonlyMap<string, number>, 'get'>;
  readonly rowCount: number;
  postingsOf(term: number): ArrayLike<number>;
  nameOf(row: number): string;
}

/** The words of an entry with the fields each stands in. */
export function indexWords(
  entry: Pick<CatalogEntry, 'name' | 'body' | 'tags' | 'tools'>,
): Map<string, number> {
  const words = new Map<string, number>();
  const add = (text: unknown, field: number) => {
    if (typeof text !== 'string') return;
    for (const word of tokenize(text)) words.set(word, (words.get(word) ?? 0) | field);
  };
  const slash = entry.name.indexOf('/');
  add(entry.name.slice(0, slash), NAMESPACE);
  add(entry.name.slice(slash + 1), NAME);
  add(entry.body.title, TITLE);
  add(entry.body.description, TEXT);
  for (const tag of entry.tags) add(tag, TAG);
  for (const tool of entry.tools) add(tool, TOOL);
  return words;
}

export function packPosting(row: number, fields: number): number {
  return ((row << FIELD_BITS) | fields) >>> 0;
}

const FIELD_WEIGHT = new Float64Array(1 << FIELD_BITS);
for (let bits = 0; bits < FIELD_WEIGHT.length; bits++) {
  FIELD_WEIGHT[bits] =
    (bits & NAME ? 16 : 0) +
    (bits & TITLE ? 8 : 0) +
    (bits & TAG ? 6 : 0) +
    (bits & TOOL ? 4 : 0) +
    (bits & NAMESPACE ? 2 : 0) +
    (bits & TEXT ? 1 : 0);
}

/** Ranked full-text search (contract 5): every word must match, whole, as a prefix, or with one typo. */
export class Searcher {
  readonly #postings: Postings;
  #alphabet: string | undefined;
  #stamp = new Uint32Array(0);
  #best = new Float64Array(0);
  #total = new Float64Array(0);
  #epoch = 0;

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  search(query: string): Hit[] {
    const wanted = query.trim().toLowerCase();
    const words = tokenizeQuery(wanted);
    if (words.length === 0) return this.#searchNamesLiterally(wanted);
    this.#reserve();
    const exact = this.#matchAll(words, false);
    // A typo may happen to be how another word begins: only when nothing has all words, each is taken for one.
    const rows = exact.length > 0 ? exact : this.#matchAll(words, true);
    return rows.map((row) => ({ row, score: this.#scoreOf(row, wanted) }));
  }

  #matchAll(words: readonly string[], anyTypo: boolean): number[] {
    let rows: number[] = [];
    for (const [index, word] of words.entries()) {
      rows = this.#matchWord(word, index > 0, anyTypo);
      if (rows.length === 0) break;
    }
    return rows;
  }

  /** A query of punctuation only: plain characters to be found in the name. */
  #searchNamesLiterally(wanted: string): Hit[] {
    const hits: Hit[] = [];
    if (!wanted) return hits;
    for (let row = 0; row < this.#postings.rowCount; row++) {
      if (this.#postings.nameOf(row).toLowerCase().includes(wanted)) hits.push({ row, score: EXACT });
    }
    return hits;
  }

  #scoreOf(row: number, wanted: string): number {
    const score = Math.round(this.#total[row] ?? 0);
    const name = this.#postings.nameOf(row).toLowerCase();
    if (!name.endsWith(wanted)) return score;
    if (name.length === wanted.length) return score + WHOLE_NAME;
    return name.slice(name.indexOf('/') + 1) === wanted ? score + SHORT_NAME : score;
  }

  /** Rows that match this word and (unless it is the first) all words before it; their totals grow by its weight. */
  #matchWord(word: string, narrow: boolean, anyTypo: boolean): number[] {
    const before = this.#epoch;
    const epoch = ++this.#epoch;
    const rows: number[] = [];
    const addTerm = (term: number, quality: number) => {
      const postings = this.#postings.postingsOf(term);
      for (let i = 0; i < postings.length; i++) {
        const posting = postings[i] ?? 0;
        const row = posting >>> FIELD_BITS;
        const stamp = this.#stamp[row];
        const weight = (FIELD_WEIGHT[posting & ((1 << FIELD_BITS) - 1)] ?? 0) * quality;
        if (stamp === epoch) {
          if (weight > (this.#best[row] ?? 0)) this.#best[row] = weight;
        } else if (!narrow || stamp === before) {
          this.#stamp[row] = epoch;
          this.#best[row] = weight;
          rows.push(row);
        }
      }
    };
    this.#visitTerms(word, anyTypo, addTerm);
    for (const row of rows)
      this.#total[row] = (narrow ? (this.#total[row] ?? 0) : 0) + (this.#best[row] ?? 0);
    return rows;
  }

  #visitTerms(word: string, _anyTypo: boolean, visit: (term: number, quality: number) => void): void {
    const { terms, termIndex } = this.#postings;
    let found = false;
    for (let term = lowerBound(terms, word); term < terms.length; term++) {
      const text = terms[term] ?? '';
      if (!text.startsWith(word)) break;
      visit(term, text === word ? EXACT : PREFIX);
      found = true;
    }
    if (found || word.length < MIN_TYPO_LENGTH || word.length > MAX_TYPO_LENGTH) return;
    for (const edit of listOneEdits(word, this.#letters())) {
      const term = termIndex.get(edit);
      if (term !== undefined) visit(term, TYPO);
    }
  }

  /** In alphabetical order, so that searchers over similar words have the same text. */
  #letters(): string {
    if (!this.#alphabet) {
      const counts = new Map<string, number>();
      for (const term of this.#postings.terms)
        for (const letter of term) counts.set(letter, (counts.get(letter) ?? 0) + 1);
      const byCount = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
      const letters = byCount.slice(0, MAX_ALPHABET).map(([letter]) => letter);
      this.#alphabet = letters.sort().join('');
    }
    return this.#alphabet;
  }

  #reserve(): void {
    const needed = this.#postings.rowCount;
    if (this.#stamp.length < needed || this.#epoch > 0xffff_0000) {
      const size = Math.max(needed, this.#stamp.length * 2);
      this.#stamp = new Uint32Array(size);
      this.#best = new Float64Array(size);
      this.#total = new Float64Array(size);
      this.#epoch = 0;
    }
  }
}

/** The first index whose item is not before `value` in a sorted list. */
export function lowerBound<T extends string | number>(sorted: ArrayLike<T>, value: T): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && item < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
