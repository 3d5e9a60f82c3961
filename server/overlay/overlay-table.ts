import { bodyFromPrefix, officialJson } from '../../sources/bundle/item-json.ts';
import { lowerBound } from '../../sources/bundle/search-index.ts';
import type { EntryStatus, EntryType } from '../../sources/model/entry.ts';
import type { EntryTable, Hit, RowTimes } from '../../sources/model/entry-table.ts';
import { compareNewestFirst, findLatest } from '../../sources/model/version.ts';
import { makePrefix, makeRow, type OverlayRow, readBody } from './overlay-row.ts';
import { OverlaySearch } from './overlay-search.ts';
import type { StatusChange, StoredVersion } from './overlay-store.ts';
import { OverlayTags } from './overlay-tags.ts';

interface Name {
  readonly name: string;
  claimsClass: number;
  claimsChanged: number;
  /** Newest version first. */
  rows: readonly number[];
  latest: number;
}

/**
 * The entries of one type of a managed source, indexed and kept up to date change by change: a change costs what it
 * touches (its words, its name's versions, and moving the lists it is put into), never a pass over the catalog.
 *
 * Views treat tables as unchanging although this one changes. That is sound because every reader takes what it needs in
 * one go, without waiting in between, and gets a new view right after each change: names and rows are never carried
 * over to another turn. Row numbers are used again after a deletion and are not dense.
 */
export class OverlayTable implements EntryTable {
  readonly type: EntryType;
  #names: Name[] = [];
  /** The texts of `#names`, side by side for searching. */
  #texts: string[] = [];
  readonly #rows: (OverlayRow | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #tags: OverlayTags;
  readonly #search: OverlaySearch;

  constructor(type: EntryType) {
    this.type = type;
    this.#tags = new OverlayTags((row) => this.nameIndexOf(row));
    const table = this;
    this.#search = new OverlaySearch({
      get limit() {
        return table.#rows.length;
      },
      nameOf: (row) => this.#rows[row]?.name ?? '',
    });
  }

  get nameCount(): number {
    return this.#names.length;
  }

  get rowCount(): number {
    return this.#rows.length - this.#free.length;
  }

  nameAt(index: number): string {
    return this.#texts[index] ?? '';
  }

  find(name: string): number {
    const index = this.seek(name);
    return this.#texts[index] === name ? index : -1;
  }

  seek(name: string): number {
    return lowerBound(this.#texts, name);
  }

  classOf(index: number): number {
    return this.#names[index]?.claimsClass ?? -1;
  }

  rowsOf(index: number): readonly number[] {
    return this.#names[index]?.rows ?? [];
  }

  latestOf(index: number): number {
    return this.#names[index]?.latest ?? -1;
  }

  nameIndexOf(row: number): number {
    return this.find(this.#rows[row]?.name ?? '');
  }

  versionOf(row: number): string {
    return this.#rows[row]?.version.text ?? '';
  }

  statusOf(row: number): EntryStatus {
    return this.#rowAt(row).status;
  }

  statusMessageOf(row: number): string | undefined {
    return this.#rowAt(row).statusMessage;
  }

  /** `changed` is also moved by new claims, which may bring the version into the sight of who follows `updated_since`. */
  timesOf(row: number): RowTimes {
    const { name, published, updated, statusChanged } = this.#rowAt(row);
    const claimsChanged = this.#names[this.find(name)]?.claimsChanged ?? 0;
    return { published, updated, statusChanged, changed: Math.max(updated, claimsChanged) };
  }

  namesTagged(tag: string): ArrayLike<number> | undefined {
    return this.#tags.namesTagged(tag);
  }

  hasTag(row: number, tag: string): boolean {
    return this.#rowAt(row).tags.has(tag);
  }

  tagsOf(row: number): readonly string[] {
    return [...this.#rowAt(row).tags];
  }

  compareRows(a: number, b: number): number {
    const [first, second] = [this.#rowAt(a), this.#rowAt(b)];
    if (first.name !== second.name) return first.name < second.name ? -1 : 1;
    return compareNewestFirst(first.version, second.version);
  }

  search(query: string): readonly Hit[] {
    return this.#search.search(query);
  }

  writeItem(row: number, isLatest: boolean): readonly (Uint8Array | string)[] {
    const { prefix, status, statusMessage } = this.#rowAt(row);
    return [prefix, officialJson(status, statusMessage, this.timesOf(row), isLatest)];
  }

  bodyOf(row: number): string {
    return bodyFromPrefix(this.type, this.#rowAt(row).prefix.toString('utf8'));
  }

  /** The row of a version, or -1. */
  rowOf(name: string, version: string): number {
    return this.rowsOf(this.find(name)).find((row) => this.versionOf(row) === version) ?? -1;
  }

  /**
   * Adds a version that is not there yet, and its name with the first one.
   * @param claimsClass and `claimsChanged` count for the name's first version only
   */
  addVersion(name: string, stored: StoredVersion, claimsClass: number, claimsChanged: number): void {
    const { row, words } = makeRow(this.type, name, stored);
    const number = this.#free.pop() ?? this.#rows.length;
    this.#rows[number] = row;
    this.#search.addRow(number, words);
    this.#tags.addRow(number, row.tags);
    const entry = this.#reach(name, claimsClass, claimsChanged);
    entry.rows = [...entry.rows, number].sort((a, b) => this.compareRows(a, b));
    this.#chooseLatest(entry);
  }

  /** Removes a version from everything, and its name with the last one. */
  removeVersion(name: string, version: string): void {
    const number = this.rowOf(name, version);
    const index = this.find(name);
    const entry = this.#names[index];
    if (number < 0 || !entry) return;
    const { tags, words } = this.#rowAt(number);
    this.#search.removeRow(number, words);
    this.#tags.removeRow(number, tags);
    this.#rows[number] = undefined;
    this.#free.push(number);
    entry.rows = entry.rows.filter((row) => row !== number);
    if (entry.rows.length > 0) {
      this.#chooseLatest(entry);
      return;
    }
    this.#names.splice(index, 1);
    this.#texts.splice(index, 1);
    this.#tags.forgetNames();
  }

  changeStatus(name: string, version: string, { status, statusMessage, at }: StatusChange): void {
    const number = this.rowOf(name, version);
    const entry = this.#names[this.find(name)];
    if (number < 0 || !entry) return;
    const row = this.#rowAt(number);
    const body = this.type === 'skill' ? readBody(this.bodyOf(number)) : undefined;
    row.status = status;
    row.statusMessage = statusMessage;
    row.updated = at;
    row.statusChanged = at;
    if (body)
      row.prefix = makePrefix(this.type, body, { status, publishedAt: row.published, statusChangedAt: at });
    this.#chooseLatest(entry);
  }

  changeClaims(name: string, claimsClass: number, at: number): void {
    const entry = this.#names[this.find(name)];
    if (!entry) return;
    entry.claimsClass = claimsClass;
    entry.claimsChanged = at;
  }

  /** The name's place, made when it is new. */
  #reach(name: string, claimsClass: number, claimsChanged: number): Name {
    const index = this.seek(name);
    const known = this.#names[index];
    if (known && known.name === name) return known;
    const entry: Name = { name, claimsClass, claimsChanged, rows: [], latest: -1 };
    this.#names.splice(index, 0, entry);
    this.#texts.splice(index, 0, name);
    this.#tags.forgetNames();
    return entry;
  }

  #chooseLatest(entry: Name): void {
    const candidates = entry.rows.filter((row) => this.statusOf(row) !== 'deleted');
    const latest = findLatest(candidates.map((row) => this.#rowAt(row).version));
    entry.latest = candidates[latest] ?? -1;
  }

  #rowAt(row: number): OverlayRow {
    const found = this.#rows[row];
    if (!found) throw new RangeError('there is no such row any more: it was kept over a change');
    return found;
  }
}
