import { lowerBound } from '../../../sources/bundle/search-index.ts';
import type { EntryFacts } from './entry-facts.ts';
import { FacetCounter } from './facet-counter.ts';

/** The filters that hold for the facts of an entry. */
export interface FactFilters {
  readonly tag: string | undefined;
  readonly transport: string | undefined;
  readonly package: string | undefined;
}

const MOST_FILTERED = 20;

/** The names of one type that a viewer sees in a registry, in order, with the facts of their latest versions. */
export class SightIndex {
  readonly names: string[] = [];
  readonly tags = new FacetCounter();
  readonly transports = new FacetCounter();
  readonly packages = new FacetCounter();
  readonly #facts: EntryFacts[] = [];
  readonly #filtered = new Map<string, readonly string[]>();

  /** Adds a name that comes after all others. */
  append(name: string, facts: EntryFacts): void {
    this.names.push(name);
    this.#facts.push(facts);
    this.#count(facts, 1);
  }

  /** Says what has become of a name; undefined when it is not seen any more. */
  replace(name: string, facts: EntryFacts | undefined): void {
    const at = lowerBound(this.names, name);
    const before = this.names[at] === name ? this.#facts[at] : undefined;
    if (before) this.#count(before, -1);
    if (facts) this.#count(facts, 1);
    this.names.splice(at, before ? 1 : 0, ...(facts ? [name] : []));
    this.#facts.splice(at, before ? 1 : 0, ...(facts ? [facts] : []));
  }

  /**
   * The names that pass, in order.
   * @param after the first ones are those behind this name
   * @param most how many names are wanted
   * @returns them, and how many pass altogether
   */
  select(
    filters: FactFilters,
    after: string | undefined,
    most: number,
  ): { readonly names: readonly string[]; readonly total: number } {
    const names = isFiltering(filters) ? this.#filter(filters) : this.names;
    const place = after === undefined ? 0 : lowerBound(names, after);
    const start = after !== undefined && names[place] === after ? place + 1 : place;
    return { names: names.slice(start, start + most), total: names.length };
  }

  /** Remembered until something changes: who looks at a page often looks at the next. */
  #filter(filters: FactFilters): readonly string[] {
    const key = JSON.stringify([filters.tag ?? 0, filters.transport ?? 0, filters.package ?? 0]);
    const known = this.#filtered.get(key);
    if (known) return known;
    const names = this.names.filter((_, at) => {
      const facts = this.#facts[at];
      return facts !== undefined && passesFilters(facts, filters);
    });
    if (this.#filtered.size >= MOST_FILTERED) this.#filtered.clear();
    this.#filtered.set(key, names);
    return names;
  }

  #count(facts: EntryFacts, by: 1 | -1): void {
    this.#filtered.clear();
    this.tags.count(facts.tags, by);
    this.transports.count(facts.transports, by);
    this.packages.count(facts.packages, by);
  }
}

function isFiltering({ tag, transport, package: kind }: FactFilters): boolean {
  return tag !== undefined || transport !== undefined || kind !== undefined;
}

/** Does an entry with these facts pass? */
export function passesFilters(facts: EntryFacts, { tag, transport, package: kind }: FactFilters): boolean {
  return (
    (tag === undefined || facts.tags.includes(tag)) &&
    (transport === undefined || facts.transports.includes(transport)) &&
    (kind === undefined || facts.packages.includes(kind))
  );
}
