import { lowerBound, type Postings, packPosting, Searcher } from '../../sources/bundle/search-index.ts';
import type { Hit } from '../../sources/model/entry-table.ts';
import { findPlace, insertNumber } from './sorted-list.ts';

/** Rows of a table as the search names them. */
export interface SearchedRows {
  /** One more than the highest row there may be. */
  readonly limit: number;
  /** Empty for a row that is free. */
  nameOf(row: number): string;
}

/** Above this many new words it is cheaper to sort once than to insert each. */
const MOST_INSERTED = 64;

/**
 * A full-text index that is kept up to date row by row: what a bundle's postings are, with lists that grow and shrink.
 * A change costs the words of its row; words nobody searched for yet wait unsorted until the next search.
 */
export class OverlaySearch {
  readonly #rows: SearchedRows;
  readonly #postings = new Map<string, number[]>();
  readonly #unsorted = new Set<string>();
  readonly #letters = new Map<string, number>();
  #terms: string[] = [];
  #searcher: Searcher | undefined;
  #termsOfSearcher = 0;

  constructor(rows: SearchedRows) {
    this.#rows = rows;
  }

  /** @param words each with the fields it stands in, from `indexWords` */
  addRow(row: number, words: ReadonlyMap<string, number>): void {
    for (const [word, fields] of words) {
      const posting = packPosting(row, fields);
      const known = this.#postings.get(word);
      if (known) {
        insertNumber(known, posting);
        continue;
      }
      this.#postings.set(word, [posting]);
      this.#unsorted.add(word);
      this.#countLetters(word, 1);
    }
  }

  removeRow(row: number, words: Iterable<string>): void {
    const first = packPosting(row, 0);
    for (const word of words) {
      const postings = this.#postings.get(word);
      if (!postings) continue;
      postings.splice(findPlace(postings, first), 1);
      if (postings.length === 0) this.#removeWord(word);
    }
  }

  search(query: string): readonly Hit[] {
    this.#sortTerms();
    // The searcher knows the letters of the words it started with; much growth or another letter makes a new one.
    if (this.#terms.length > this.#termsOfSearcher * 2) this.#searcher = undefined;
    if (!this.#searcher) {
      this.#searcher = new Searcher(this.#open());
      this.#termsOfSearcher = this.#terms.length;
    }
    return this.#searcher.search(query);
  }

  #open(): Postings {
    const search = this;
    return {
      get terms() {
        return search.#terms;
      },
      // Looked up when asked for, so that a new word does not renumber all behind it.
      termIndex: {
        get: (word) => (this.#postings.has(word) ? lowerBound(this.#terms, word) : undefined),
      },
      get rowCount() {
        return search.#rows.limit;
      },
      postingsOf: (term) => this.#postings.get(this.#terms[term] ?? '') ?? [],
      nameOf: (row) => this.#rows.nameOf(row),
    };
  }

  #removeWord(word: string): void {
    this.#postings.delete(word);
    this.#countLetters(word, -1);
    if (this.#unsorted.delete(word)) return;
    this.#terms.splice(lowerBound(this.#terms, word), 1);
  }

  #sortTerms(): void {
    if (this.#unsorted.size === 0) return;
    if (this.#unsorted.size <= MOST_INSERTED) {
      for (const word of this.#unsorted) this.#terms.splice(lowerBound(this.#terms, word), 0, word);
    } else {
      this.#terms = [...this.#terms, ...this.#unsorted].sort();
    }
    this.#unsorted.clear();
  }

  #countLetters(word: string, by: 1 | -1): void {
    for (const letter of word) {
      const count = (this.#letters.get(letter) ?? 0) + by;
      if (count === 0) this.#letters.delete(letter);
      else this.#letters.set(letter, count);
      if (count === 0 || (count === 1 && by === 1)) this.#searcher = undefined;
    }
  }
}
