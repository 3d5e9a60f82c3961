import type { Filter } from '../config/schema.ts';
import type { Catalog, CatalogEntry, Rejection, SkillFile } from '../model/entry.ts';
import { isPlainObject } from '../model/plain-object.ts';
import { summarizeProblems } from './describe-problems.ts';
import { type EntryFilter, prepareFilter } from './entry-filter.ts';
import type { RawItem } from './list-items.ts';
import { bodyOfItem, readItem } from './read-item.ts';

export interface CollectorOptions {
  readonly filter: Filter | undefined;
  readonly maxMetaBytes: number;
}

/**
 * Gathers the entries of one source: each is checked alone, what the filter leaves out is passed over in silence, and
 * of the same name and version the first wins (contract 3).
 */
export class EntryCollector {
  readonly #entries: CatalogEntry[] = [];
  readonly #rejected: Rejection[] = [];
  readonly #firsts = new Map<string, CatalogEntry>();
  readonly #filter: EntryFilter;
  readonly #maxMetaBytes: number;

  constructor(options: CollectorOptions) {
    this.#filter = prepareFilter(options.filter);
    this.#maxMetaBytes = options.maxMetaBytes;
  }

  /** Takes one item in; `files` are those of a skill read from a directory. */
  add(item: RawItem, file: string, files?: readonly SkillFile[]): void {
    const name = nameOf(item);
    if (name !== undefined && !this.#filter.passesName(name)) return;
    const checked = readItem(item, this.#maxMetaBytes);
    if (!checked.ok) {
      this.reject(file, item.line, summarizeProblems(checked.problems));
      return;
    }
    if (!this.#filter.passesTags(checked.entry.tags)) return;
    const entry: CatalogEntry = { ...checked.entry, ...(files ? { files } : {}), file, line: item.line };
    const key = `${entry.type} ${entry.name}@${entry.version}`;
    const first = this.#firsts.get(key);
    if (first) {
      this.reject(
        file,
        item.line,
        `duplicate of ${entry.name}@${entry.version} in ${first.file}:${first.line}; the first one is used`,
      );
      return;
    }
    this.#firsts.set(key, entry);
    this.#entries.push(entry);
  }

  reject(file: string, line: number, reason: string): void {
    this.#rejected.push({ file, line, reason });
  }

  /** Everything gathered so far. */
  toCatalog(): Catalog {
    return { entries: this.#entries, rejected: this.#rejected };
  }
}

/** The name a filter is asked about, before it is known whether the entry is valid. */
function nameOf(item: RawItem): string | undefined {
  const body = bodyOfItem(item);
  if (!isPlainObject(body) || typeof body.name !== 'string') return undefined;
  return item.type === 'skill' ? `${String(body.namespace)}/${body.name}` : body.name;
}
