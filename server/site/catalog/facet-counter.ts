import type { Facet } from '../catalog-reader.ts';

/** How many entries have each value of a filter. */
export class FacetCounter {
  readonly #counts = new Map<string, number>();
  #sorted: readonly Facet[] | undefined;

  /** @param by 1 for an entry that came, -1 for one that went */
  count(values: readonly string[], by: 1 | -1): void {
    for (const value of values) {
      const count = (this.#counts.get(value) ?? 0) + by;
      if (count > 0) this.#counts.set(value, count);
      else this.#counts.delete(value);
    }
    if (values.length > 0) this.#sorted = undefined;
  }

  /** Most frequent first, equal ones by value. */
  get facets(): readonly Facet[] {
    this.#sorted ??= [...this.#counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
    return this.#sorted;
  }
}
