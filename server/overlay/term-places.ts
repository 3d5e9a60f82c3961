import { lowerBound } from '../../sources/bundle/search-index.ts';

/**
 * The places of terms in a sorted list that changes, as the map a searcher asks: looked up when asked for, so that a new
 * term does not renumber all behind it.
 */
export class TermPlaces implements ReadonlyMap<string, number> {
  readonly #terms: () => readonly string[];
  readonly #isTerm: (term: string) => boolean;

  /**
   * @param terms the list as it is now, sorted
   * @param isTerm whether a text is in it; cheaper than looking for its place
   */
  constructor(terms: () => readonly string[], isTerm: (term: string) => boolean) {
    this.#terms = terms;
    this.#isTerm = isTerm;
  }

  get size(): number {
    return this.#terms().length;
  }

  has(term: string): boolean {
    return this.#isTerm(term);
  }

  get(term: string): number | undefined {
    return this.#isTerm(term) ? lowerBound(this.#terms(), term) : undefined;
  }

  forEach(visit: (place: number, term: string, map: ReadonlyMap<string, number>) => void): void {
    for (const [term, place] of this) visit(place, term, this);
  }

  keys(): MapIterator<string> {
    return new Map(this.#pairs()).keys();
  }

  values(): MapIterator<number> {
    return new Map(this.#pairs()).values();
  }

  entries(): MapIterator<[string, number]> {
    return new Map(this.#pairs()).entries();
  }

  [Symbol.iterator](): MapIterator<[string, number]> {
    return this.entries();
  }

  #pairs(): [string, number][] {
    return this.#terms().map((term, place) => [term, place]);
  }
}
