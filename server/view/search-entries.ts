import type { EntryTable } from '../../sources/model/entry-table.ts';
import { isAfter } from './list-entries.ts';
import {
  type Found,
  isShadowed,
  type ListQuery,
  latestRow,
  type Page,
  type Position,
  passes,
  seesName,
  tableOf,
} from './query.ts';
import type { SegmentSight, Sight } from './registry-view.ts';

interface Ranked {
  readonly part: SegmentSight;
  readonly table: EntryTable;
  readonly row: number;
  readonly score: number;
}

/** A page of hits, best first; equal scores in list order. Keeps only as many candidates as the page needs. */
export function searchEntries(sight: Sight, query: ListQuery, search: string): Page {
  const best = new BestRanked(query.limit + 1);
  for (const part of sight.parts) {
    if (query.source !== undefined && part.segment.source !== query.source) continue;
    const table = tableOf(part, query.type);
    for (const { row, score } of table.search(search)) {
      if (!best.mayKeep(score) || !passes(table, row, query)) continue;
      const hit = { part, table, row, score };
      if (!best.wouldKeep(hit) || (query.after && !isBehind(hit, query.after))) continue;
      const index = table.nameIndexOf(row);
      if (!seesName(part, table, index)) continue;
      if (query.version === 'latest' && latestRow(table, index, query.includeDeleted) !== row) continue;
      if (isShadowed(sight.parts, part, query.type, table.nameAt(index))) continue;
      if (!query.accepts || query.accepts(asFound(hit))) best.add(hit);
    }
  }
  const ranked = best.sorted();
  const page = ranked.slice(0, query.limit);
  const last = page.at(-1);
  const items = page.map(asFound);
  return ranked.length > query.limit && last
    ? { items, next: { ...placeOf(last), score: last.score } }
    : { items };
}

function asFound({ part, table, row }: Ranked): Found {
  return { part, table, row, isLatest: table.latestOf(table.nameIndexOf(row)) === row };
}

function placeOf({ table, row }: Ranked): Position {
  return { name: table.nameAt(table.nameIndexOf(row)), version: table.versionOf(row) };
}

function isBehind(hit: Ranked, after: Position): boolean {
  const score = after.score ?? Number.POSITIVE_INFINITY;
  if (hit.score !== score) return hit.score < score;
  const { name, version } = placeOf(hit);
  return name === after.name ? isAfter(version, after.version) : name > after.name;
}

/** Negative when `a` ranks before `b`. */
function compareRanked(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.table === b.table) return a.table.compareRows(a.row, b.row);
  const nameA = placeOf(a).name;
  const nameB = placeOf(b).name;
  return nameA < nameB ? -1 : nameA > nameB ? 1 : 0;
}

/** The best `size` of what is added, as a heap with the worst kept one on top. */
class BestRanked {
  readonly #size: number;
  readonly #heap: Ranked[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** False when nothing with this score is kept; cheap. */
  mayKeep(score: number): boolean {
    const worst = this.#heap[0];
    return this.#heap.length < this.#size || worst === undefined || score >= worst.score;
  }

  wouldKeep(hit: Ranked): boolean {
    const worst = this.#heap[0];
    return this.#heap.length < this.#size || worst === undefined || compareRanked(hit, worst) < 0;
  }

  add(hit: Ranked): void {
    const heap = this.#heap;
    if (heap.length < this.#size) {
      heap.push(hit);
      this.#rise(heap.length - 1);
    } else {
      heap[0] = hit;
      this.#sink();
    }
  }

  sorted(): Ranked[] {
    return [...this.#heap].sort(compareRanked);
  }

  #rise(start: number): void {
    for (let at = start; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfWorse(at, parent)) return;
      at = parent;
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = at * 2 + 1;
      const worse = this.#isWorse(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfWorse(worse, at)) return;
      at = worse;
    }
  }

  #isWorse(a: number, b: number): boolean {
    const [first, second] = [this.#heap[a], this.#heap[b]];
    return first !== undefined && second !== undefined && compareRanked(first, second) > 0;
  }

  #swapIfWorse(below: number, above: number): boolean {
    const [lower, upper] = [this.#heap[below], this.#heap[above]];
    if (!lower || !upper || compareRanked(lower, upper) <= 0) return false;
    this.#heap[above] = lower;
    this.#heap[below] = upper;
    return true;
  }
}
