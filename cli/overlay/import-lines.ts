import { SOURCE_RECORD } from '../../server/declared-records.ts';
import { HttpError } from '../../server/http/problem.ts';
import type { ImportingStore, StoredRecord } from '../../server/overlay/overlay-store.ts';
import type { LoadedConfig } from '../../sources/config/schema.ts';
import { BerthError } from '../../sources/errors.ts';
import { readRecord, toShareable } from './api-record.ts';
import { checkLine } from './check-line.ts';
import { headerSchema, type OverlayLine } from './overlay-line.ts';

/** A line that was not taken over. */
export interface RefusedLine {
  /** From 1, the header counted. */
  readonly line: number;
  readonly code: string;
  readonly reason: string;
}

export interface ImportReport {
  /** Lines that added something. */
  readonly imported: number;
  /** Lines whose content was there already. */
  readonly unchanged: number;
  readonly refused: readonly RefusedLine[];
  /** Sources of entries that are no managed source of the configuration or of the store. */
  readonly unserved: readonly string[];
}

/** Lines on their way to the store at once, so that they share its flushes. */
const MOST_AT_ONCE = 64;

/**
 * Brings an exported overlay into a store. Each line is taken over whole or not at all; what contradicts the store, or
 * cannot be read, is reported and left out.
 * @throws BerthError `overlay_file_invalid`, `overlay_file_too_new`; HttpError 503 `store_unavailable`, after which the
 *   same file may be imported again
 */
export async function importLines(
  lines: AsyncIterable<string>,
  store: ImportingStore,
  loaded: LoadedConfig,
): Promise<ImportReport> {
  const run = new ImportRun(store, loaded);
  let number = 0;
  for await (const text of lines) {
    number++;
    if (number === 1) checkHeader(text);
    else if (text.trim() !== '') await run.take(number, text);
  }
  if (number === 0) checkHeader('');
  return run.finish();
}

function checkHeader(text: string): void {
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    header = undefined;
  }
  const parsed = headerSchema.safeParse(header);
  if (!parsed.success) {
    throw new BerthError(
      'overlay_file_invalid',
      'The file does not begin with the header of an exported overlay.',
      {
        fix: 'Name a file that berth overlay export wrote.',
      },
    );
  }
  if (parsed.data.version === 1) return;
  throw new BerthError(
    'overlay_file_too_new',
    `The file has version ${parsed.data.version}; this program reads version 1.`,
    { fix: 'Import it with the program that wrote it, or a newer one.' },
  );
}

interface NumberedLine {
  readonly number: number;
  readonly line: OverlayLine;
}

type Outcome = 'stored' | 'unchanged' | BerthError;

class ImportRun {
  readonly #store: ImportingStore;
  readonly #loaded: LoadedConfig;
  readonly #sources = new Set<string>();
  readonly #refused: RefusedLine[] = [];
  #imported = 0;
  #unchanged = 0;
  #waiting = new Map<string, NumberedLine>();

  constructor(store: ImportingStore, loaded: LoadedConfig) {
    this.#store = store;
    this.#loaded = loaded;
  }

  /** Lines about the same thing reach the store one after the other, in their order. */
  async take(number: number, text: string): Promise<void> {
    let line: OverlayLine;
    try {
      line = checkLine(text, this.#loaded);
    } catch (error) {
      this.#refuse(number, error);
      return;
    }
    const key = keyOf(line);
    if (this.#waiting.has(key) || this.#waiting.size >= MOST_AT_ONCE) await this.#flush();
    this.#waiting.set(key, { number, line });
  }

  async finish(): Promise<ImportReport> {
    await this.#flush();
    const { sources } = this.#loaded.config;
    const managed = new Set(sources.filter((source) => source.managed).map(({ name }) => name));
    for (const { name, json } of await this.#store.listRecords(SOURCE_RECORD))
      if (readRecord(json).body.managed !== undefined) managed.add(name);
    return {
      imported: this.#imported,
      unchanged: this.#unchanged,
      refused: this.#refused.toSorted((a, b) => a.line - b.line),
      unserved: [...this.#sources].filter((name) => !managed.has(name)).sort(),
    };
  }

  async #flush(): Promise<void> {
    const lines = [...this.#waiting.values()];
    this.#waiting = new Map();
    const settled = await Promise.allSettled(lines.map(({ line }) => importLine(line, this.#store)));
    for (const [index, { number, line }] of lines.entries()) {
      const result = settled[index];
      if (result?.status !== 'fulfilled') throw result?.reason;
      this.#count(number, line, result.value);
    }
  }

  #count(number: number, line: OverlayLine, outcome: Outcome): void {
    if (outcome instanceof BerthError) {
      this.#refuse(number, outcome);
      return;
    }
    if (outcome === 'stored') this.#imported++;
    else this.#unchanged++;
    if ('entry' in line) this.#sources.add(line.entry.source);
  }

  #refuse(line: number, error: unknown): void {
    if (!(error instanceof BerthError || error instanceof HttpError)) throw error;
    this.#refused.push({ line, code: error.code, reason: error.message });
  }
}

async function importLine(line: OverlayLine, store: ImportingStore): Promise<Outcome> {
  if ('record' in line) return importRecord(line.record, store);
  const { source, type, name } = line.entry;
  const entry = `The ${type} ${name} of source ${source}`;
  const result = await store.importEntry(line.entry);
  switch (result.outcome) {
    case 'stored':
    case 'unchanged':
      return result.outcome;
    case 'claims_differ':
      return new BerthError('claims_differ', `${entry} is there with other claims.`);
    case 'version_differs':
      return new BerthError(
        'version_differs',
        `${entry} is there with another version ${result.version}: its content, status or times differ.`,
      );
  }
}

async function importRecord({ kind, name, json }: StoredRecord, store: ImportingStore): Promise<Outcome> {
  if (await store.insertRecord(kind, name, json)) return 'stored';
  const present = (await store.listRecords(kind)).find((record) => record.name === name);
  // An export leaves credentials out, so what it wrote is compared with what it would write.
  if (present && toShareable(present).json === json) return 'unchanged';
  return new BerthError('record_differs', `There is another ${kind} ${name}.`);
}

function keyOf(line: OverlayLine): string {
  // Records are compared by reading them, and a store reads one list at a time.
  if ('record' in line) return 'record';
  const { source, type, name } = line.entry;
  return JSON.stringify([source, type, name]);
}
