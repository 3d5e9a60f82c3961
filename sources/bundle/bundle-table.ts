import type { EntryStatus, EntryType } from '../model/entry.ts';
import type { EntryTable, Hit, RowTimes } from '../model/entry-table.ts';
import { NO_LATEST, STATUS_CODES } from './compile-bundle.ts';
import type { OpenedSections } from './format.ts';
import { bodyFromPrefix, officialJson } from './item-json.ts';
import { lowerBound, type Postings, Searcher } from './search-index.ts';
import type { BundleTimes } from './times.ts';

/** One table of an opened bundle. Texts are decoded once; everything else is read where it lies. */
export class BundleTable implements EntryTable {
  readonly type: EntryType;
  readonly nameCount: number;
  readonly rowCount: number;
  readonly #sections: OpenedSections;
  readonly #prefix: string;
  readonly #names: readonly string[];
  readonly #versions: readonly string[];
  readonly #firstRow: Uint32Array;
  readonly #latest: Uint32Array;
  readonly #status: Uint32Array;
  readonly #messages: Readonly<Record<string, string>>;
  readonly #given: Float64Array;
  readonly #offsets: Float64Array;
  readonly #items: Buffer;
  readonly #times: BundleTimes;
  readonly #timesStart: number;
  readonly #nameOfRow: Uint32Array;
  #searcher: Searcher | undefined;
  #tags: Map<string, number> | undefined;
  #tagsOfRows: readonly (readonly string[] | undefined)[] | undefined;
  #indexes: Map<string, number> | undefined;

  /** @param timesStart where this table's rows begin in `times` */
  constructor(type: EntryType, sections: OpenedSections, times: BundleTimes, timesStart: number) {
    this.type = type;
    this.#sections = sections;
    this.#prefix = type === 'server' ? 'servers' : 'skills';
    this.#names = this.#texts('names');
    this.#versions = this.#texts('versions');
    this.#firstRow = this.#u32('firstRow');
    this.#latest = this.#u32('latest');
    this.#status = this.#u32('status');
    this.#messages = JSON.parse(sections.bytes(`${this.#prefix}.statusMessages`).toString('utf8'));
    this.#given = sections.f64(`${this.#prefix}.given`);
    this.#offsets = sections.f64(`${this.#prefix}.itemOffsets`);
    this.#items = sections.bytes(`${this.#prefix}.items`);
    this.#times = times;
    this.#timesStart = timesStart;
    this.nameCount = this.#names.length;
    this.rowCount = this.#versions.length;
    this.#nameOfRow = new Uint32Array(this.rowCount);
    for (let index = 0; index < this.nameCount; index++) {
      this.#nameOfRow.fill(index, this.#firstRow[index], this.#firstRow[index + 1]);
    }
  }

  nameAt(index: number): string {
    return this.#names[index] ?? '';
  }

  find(name: string): number {
    this.#indexes ??= new Map(this.#names.map((known, index) => [known, index]));
    return this.#indexes.get(name) ?? -1;
  }

  seek(name: string): number {
    return lowerBound(this.#names, name);
  }

  classOf(): number {
    return 0;
  }

  rowsOf(index: number): readonly number[] {
    const rows: number[] = [];
    const end = this.#firstRow[index + 1] ?? 0;
    for (let row = this.#firstRow[index] ?? 0; row < end; row++) rows.push(row);
    return rows;
  }

  latestOf(index: number): number {
    const row = this.#latest[index] ?? NO_LATEST;
    return row === NO_LATEST ? -1 : row;
  }

  nameIndexOf(row: number): number {
    return this.#nameOfRow[row] ?? 0;
  }

  versionOf(row: number): string {
    return this.#versions[row] ?? '';
  }

  statusOf(row: number): EntryStatus {
    return STATUS_CODES[this.#status[row] ?? 0] ?? 'active';
  }

  timesOf(row: number): RowTimes {
    const at = this.#timesStart + row;
    const seen = this.#times.firstSeen[at] ?? 0;
    const changed = this.#times.changed[at] ?? 0;
    const published = given(this.#given[row * 3], seen);
    const updated = Math.max(given(this.#given[row * 3 + 1], changed), published);
    const statusChanged = given(
      this.#given[row * 3 + 2],
      Math.max(this.#times.statusChanged[at] ?? 0, published),
    );
    return { published, updated, statusChanged, changed: Math.max(changed, updated) };
  }

  namesTagged(tag: string): ArrayLike<number> | undefined {
    const rows = this.#rowsTagged(tag);
    if (!rows) return undefined;
    const names: number[] = [];
    for (const row of rows) if (names.at(-1) !== this.nameIndexOf(row)) names.push(this.nameIndexOf(row));
    return names;
  }

  hasTag(row: number, tag: string): boolean {
    const rows = this.#rowsTagged(tag);
    return rows !== undefined && rows[lowerBound(rows, row)] === row;
  }

  tagsOf(row: number): readonly string[] {
    this.#tagsOfRows ??= this.#listTagsOfRows();
    return this.#tagsOfRows[row] ?? [];
  }

  compareRows(a: number, b: number): number {
    return a - b;
  }

  search(query: string): readonly Hit[] {
    this.#searcher ??= new Searcher(this.#openPostings());
    return this.#searcher.search(query);
  }

  writeItem(row: number, isLatest: boolean): readonly (Uint8Array | string)[] {
    const official = officialJson(this.statusOf(row), this.#messages[row], this.timesOf(row), isLatest);
    return [this.#itemOf(row), official];
  }

  bodyOf(row: number): string {
    return bodyFromPrefix(this.type, this.#itemOf(row).toString('utf8'));
  }

  #itemOf(row: number): Buffer {
    return this.#items.subarray(this.#offsets[row], this.#offsets[row + 1]);
  }

  #rowsTagged(tag: string): Uint32Array | undefined {
    this.#tags ??= new Map(this.#texts('tags').map((text, index) => [text, index]));
    const index = this.#tags.get(tag);
    if (index === undefined) return undefined;
    const starts = this.#u32('tagStarts');
    return this.#u32('tagValues').subarray(starts[index], starts[index + 1]);
  }

  #listTagsOfRows(): string[][] {
    const tagsOfRows: string[][] = [];
    for (const tag of this.#texts('tags')) {
      for (const row of this.#rowsTagged(tag) ?? []) {
        const known = tagsOfRows[row];
        if (known) known.push(tag);
        else tagsOfRows[row] = [tag];
      }
    }
    return tagsOfRows;
  }

  #openPostings(): Postings {
    const terms = this.#texts('terms');
    const starts = this.#u32('termStarts');
    const values = this.#u32('termValues');
    return {
      terms,
      termIndex: new Map(terms.map((term, index) => [term, index])),
      rowCount: this.rowCount,
      postingsOf: (term) => values.subarray(starts[term], starts[term + 1]),
      nameOf: (row) => this.nameAt(this.nameIndexOf(row)),
    };
  }

  #texts(section: string): string[] {
    return this.#sections.texts(`${this.#prefix}.${section}`);
  }

  #u32(section: string): Uint32Array {
    return this.#sections.u32(`${this.#prefix}.${section}`);
  }
}

function given(value: number | undefined, otherwise: number): number {
  return value === undefined || Number.isNaN(value) ? otherwise : value;
}
