import { type Claims, claimsKey, normalizeClaims } from '../../sources/model/claims.ts';
import type {
  EntryKey,
  ImportOutcome,
  InsertOutcome,
  StatusChange,
  StoredClaims,
  StoredEntry,
  StoredVersion,
} from './overlay-store.ts';
import { planImport } from './plan-import.ts';
import type { SqliteConnection, SqliteStatement } from './sqlite-connection.ts';
import { ENTRY_COLUMNS, groupEntries, keyValues } from './sqlite-rows.ts';

const OF_ENTRY = 'source = ? AND type = ? AND name = ?';
const JOINED = `SELECT ${ENTRY_COLUMNS} FROM versions v JOIN entries e USING (source, type, name)`;

const SQL = {
  loadEntries: `${JOINED} ORDER BY v.source, v.type, v.name`,
  readEntry: `${JOINED} WHERE v.source = ? AND v.type = ? AND v.name = ?`,
  readVersion: `${JOINED} WHERE v.source = ? AND v.type = ? AND v.name = ? AND v.version = ?`,
  readClaimsKey: `SELECT claims_key AS value FROM entries WHERE ${OF_ENTRY}`,
  hasVersion: `SELECT 1 AS value FROM versions WHERE ${OF_ENTRY} AND version = ?`,
  insertEntry:
    'INSERT INTO entries (source, type, name, claims, claims_key, claims_changed_at) VALUES (?, ?, ?, ?, ?, ?)',
  insertVersion:
    'INSERT INTO versions (source, type, name, version, body, tags, tools, status, status_message, published_at, ' +
    'updated_at, status_changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  deleteVersion: `DELETE FROM versions WHERE ${OF_ENTRY} AND version = ?`,
  deleteEmptyEntry: `DELETE FROM entries WHERE ${OF_ENTRY} AND NOT EXISTS (SELECT 1 FROM versions WHERE ${OF_ENTRY})`,
  updateStatus: `UPDATE versions SET status = ?, status_message = ?, updated_at = ?, status_changed_at = ? WHERE ${OF_ENTRY} AND version = ?`,
  replaceClaims: `UPDATE entries SET claims = ?, claims_key = ?, claims_changed_at = ? WHERE ${OF_ENTRY}`,
  deleteEntries: 'DELETE FROM entries WHERE source = ?',
  putRecord:
    'INSERT INTO records (kind, name, json) VALUES (?, ?, ?) ON CONFLICT (kind, name) DO UPDATE SET json = excluded.json',
  insertRecord: 'INSERT INTO records (kind, name, json) VALUES (?, ?, ?) ON CONFLICT (kind, name) DO NOTHING',
  deleteRecord: 'DELETE FROM records WHERE kind = ? AND name = ?',
  listRecords: 'SELECT kind, name, json FROM records WHERE kind = ? ORDER BY name',
  probe:
    'INSERT INTO probe (id, filler) VALUES (1, randomblob(?)) ON CONFLICT (id) DO UPDATE SET filler = excluded.filler',
} as const;

/** The statements of an open overlay. All but those that list run at once, inside a transaction of the caller. */
export class SqliteStatements {
  readonly #prepared: ReadonlyMap<keyof typeof SQL, SqliteStatement>;

  private constructor(prepared: ReadonlyMap<keyof typeof SQL, SqliteStatement>) {
    this.#prepared = prepared;
  }

  static async prepare(connection: SqliteConnection): Promise<SqliteStatements> {
    const prepared = new Map<keyof typeof SQL, SqliteStatement>();
    for (const name of Object.keys(SQL).filter(isName))
      prepared.set(name, await connection.prepare(SQL[name]));
    return new SqliteStatements(prepared);
  }

  loadEntries(): Promise<readonly unknown[]> {
    return this.#get('loadEntries').all([]);
  }

  readEntry(key: EntryKey): Promise<readonly unknown[]> {
    return this.#get('readEntry').all(keyValues(key));
  }

  insertVersion(key: EntryKey, version: StoredVersion, claims: Claims): InsertOutcome {
    const ofEntry = keyValues(key);
    const wanted = claimsKey(normalizeClaims(claims));
    const present = columnValue(this.#get('readClaimsKey').get(ofEntry));
    if (present !== undefined && present !== wanted) return 'claims_differ';
    if (columnValue(this.#get('hasVersion').get([...ofEntry, version.version])) !== undefined)
      return 'version_exists';
    if (present === undefined) {
      this.#get('insertEntry').run([...ofEntry, JSON.stringify(claims), wanted, version.publishedAt]);
    }
    this.#addVersion(ofEntry, version);
    return 'stored';
  }

  importEntry(entry: StoredEntry): ImportOutcome {
    const ofEntry = keyValues(entry);
    const present = columnValue(this.#get('readClaimsKey').get(ofEntry));
    const rows = entry.versions.map(({ version }) => this.#get('readVersion').get([...ofEntry, version]));
    const versions = groupEntries(rows.filter((row) => row !== undefined)).flatMap((known) => known.versions);
    const { result, missing } = planImport(
      typeof present === 'string' ? { claimsKey: present, versions } : undefined,
      entry,
    );
    if (missing.length > 0 && present === undefined) {
      const key = claimsKey(normalizeClaims(entry.claims));
      this.#get('insertEntry').run([...ofEntry, JSON.stringify(entry.claims), key, entry.claimsChangedAt]);
    }
    for (const version of missing) this.#addVersion(ofEntry, version);
    return result;
  }

  deleteVersion(key: EntryKey, version: string): boolean {
    const ofEntry = keyValues(key);
    const { changes } = this.#get('deleteVersion').run([...ofEntry, version]);
    if (changes > 0) this.#get('deleteEmptyEntry').run([...ofEntry, ...ofEntry]);
    return changes > 0;
  }

  updateStatus(key: EntryKey, version: string, { status, statusMessage, at }: StatusChange): boolean {
    const values = [status, statusMessage ?? null, at, at, ...keyValues(key), version];
    return this.#get('updateStatus').run(values).changes > 0;
  }

  replaceClaims(key: EntryKey, { claims, claimsChangedAt }: StoredClaims): boolean {
    const values = [
      JSON.stringify(claims),
      claimsKey(normalizeClaims(claims)),
      claimsChangedAt,
      ...keyValues(key),
    ];
    return this.#get('replaceClaims').run(values).changes > 0;
  }

  deleteEntries(source: string): number {
    return this.#get('deleteEntries').run([source]).changes;
  }

  putRecord(kind: string, name: string, json: string): void {
    this.#get('putRecord').run([kind, name, json]);
  }

  insertRecord(kind: string, name: string, json: string): boolean {
    return this.#get('insertRecord').run([kind, name, json]).changes > 0;
  }

  deleteRecord(kind: string, name: string): boolean {
    return this.#get('deleteRecord').run([kind, name]).changes > 0;
  }

  listRecords(kind: string): Promise<readonly unknown[]> {
    return this.#get('listRecords').all([kind]);
  }

  /** Writes this many bytes of no meaning. */
  writeProbe(bytes: number): void {
    this.#get('probe').run([bytes]);
  }

  #addVersion(ofEntry: readonly string[], version: StoredVersion): void {
    this.#get('insertVersion').run([
      ...ofEntry,
      version.version,
      version.body,
      JSON.stringify(version.tags),
      JSON.stringify(version.tools),
      version.status,
      version.statusMessage ?? null,
      version.publishedAt,
      version.updatedAt,
      version.statusChangedAt,
    ]);
  }

  #get(name: keyof typeof SQL): SqliteStatement {
    const statement = this.#prepared.get(name);
    if (!statement) throw new TypeError(`the statement ${name} was not prepared`);
    return statement;
  }
}

function isName(name: string): name is keyof typeof SQL {
  return name in SQL;
}

/** The column `value` of a row; undefined when there is no row. */
function columnValue(row: unknown): unknown {
  return typeof row === 'object' && row !== null && 'value' in row ? row.value : undefined;
}
