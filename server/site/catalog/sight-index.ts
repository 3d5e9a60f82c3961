import { lowerBound } from '../../../sources/bundle/search-index.ts';
import type { EntryFacts } from './entry-facts.ts';
import { FacetCounter } from './facet-counter.ts';

/** The filters that hold for the facts of an entry. */
export interface FactFilters {
  readonly tag: string | undefined;
  readonly transport: string | undefined;
  readonly package: string | undefined;
}

/** The names of one type that a viewer sees in a registry, in order, with the facts of their latest versions. */
export class SightIndex {
  readonly names: string[] = [];
  readonly tags = new FacetCounter();
  readonly transports = new FacetCounter();
  readonly packages = new FacetCounter();
  readonly #facts: EntryFacts[] = [];

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
    const added = facts ? 1 : 0;
    this.names.splice(at, before ? 1 : 0, ...[name].slice(0, added));
    this.#facts.splice(at, before ? 1 : 0, ...(facts ? [facts] : []));
  }

  /** The names that pass, in order, from behind `after` on. */
  *select(filters: FactFilters, after: string | undefined): Generator<string> {
    let at = after === undefined ? 0 : lowerBound(this.names, after);
    if (after !== undefined && this.names[at] === after) at++;
    for (; at < this.names.length; at++) {
      const [name, facts] = [this.names[at], this.#facts[at]];
      if (name !== undefined && facts && passesFilters(facts, filters)) yield name;
    }
  }

  /** How many pass. */
  countMatches(filters: FactFilters): number {
    const { tag, transport, package: kind } = filters;
    const counts = [
      ...(tag === undefined ? [] : [this.tags.countOf(tag)]),
      ...(transport === undefined ? [] : [this.transports.countOf(transport)]),
      ...(kind === undefined ? [] : [this.packages.countOf(kind)]),
    ];
    if (counts.length < 2) return counts[0] ?? this.names.length;
    return this.#facts.reduce((count, facts) => count + (passesFilters(facts, filters) ? 1 : 0), 0);
  }

  #count(facts: EntryFacts, by: 1 | -1): void {
    this.tags.count(facts.tags, by);
    this.transports.count(facts.transports, by);
    this.packages.count(facts.packages, by);
  }
}

/** Does an entry with these facts pass? */
export function passesFilters(facts: EntryFacts, { tag, transport, package: kind }: FactFilters): boolean {
  return (
    (tag === undefined || facts.tags.includes(tag)) &&
    (transport === undefined || facts.transports.includes(transport)) &&
    (kind === undefined || facts.packages.includes(kind))
  );
}
