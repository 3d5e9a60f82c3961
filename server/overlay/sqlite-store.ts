import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { BerthError } from '../../sources/errors.ts';
import type { Claims } from '../../sources/model/claims.ts';
import { CommitQueue } from './commit-queue.ts';
import { type DataDirectory, prepareFile, unusable } from './data-directory.ts';
import { KeyedQueue } from './keyed-queue.ts';
import type {
  EntryKey,
  ImportingStore,
  ImportOutcome,
  InsertOutcome,
  StatusChange,
  StoredClaims,
  StoredEntry,
  StoredRecord,
  StoredVersion,
} from './overlay-store.ts';
import { openSqlite, type SqliteConnection } from './sqlite-connection.ts';
import { readSqliteFailure, sqliteCode } from './sqlite-failure.ts';
import { lockOverlay, type OverlayLock } from './sqlite-lock.ts';
import { groupEntries, recordRow } from './sqlite-rows.ts';
import { migrateSqlite } from './sqlite-schema.ts';
import { SqliteStatements } from './sqlite-statements.ts';
import { isStoreUnavailable, storeUnavailable } from './store-unavailable.ts';

const OVERLAY_FILE = 'overlay.db';
const LEAST_PROBE_BYTES = 4096;
/** One body of the default largest size. */
const LEAST_FREE_BYTES = 1024 * 1024;
/** What a change may need when a write failed before: the largest body a server takes, and its index pages. */
const PROBE_BYTES_AFTER_FAILURE = 2 * 1024 * 1024;

interface Session {
  readonly connection: SqliteConnection;
  readonly statements: SqliteStatements;
}

/**
 * The overlay in one SQLite file of one process (contract 2 `dataDir`, 10). A failure of the disk or the file is
 * answered with 503 `store_unavailable`; the next call tries again, on a new connection when it has to.
 */
export class SqliteStore implements ImportingStore {
  readonly #file: string;
  readonly #lock: OverlayLock;
  /** Tells the file that was opened at the start from another one of the same name. */
  readonly #inode: number;
  readonly #queue = new CommitQueue((changes) => this.#runTransaction(changes));
  readonly #reads = new KeyedQueue();
  #session: Session | undefined;
  #failed = false;

  private constructor(file: string, lock: OverlayLock, session: Session) {
    this.#file = file;
    this.#lock = lock;
    this.#inode = statSync(file).ino;
    this.#session = session;
  }

  /**
   * Opens the overlay of a data directory, which is made (0700) when it is not there; the file is 0600.
   * @throws BerthError `overlay_locked` (another process), `data_dir_unusable`, `overlay_damaged`, `overlay_too_new`
   */
  static async open(directory: DataDirectory): Promise<SqliteStore> {
    const lock = lockOverlay(directory);
    try {
      const file = join(directory.path, OVERLAY_FILE);
      prepareFile(directory, file);
      return new SqliteStore(file, lock, await openSession(file));
    } catch (error) {
      lock.release();
      if (error instanceof BerthError) throw error;
      if (['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(sqliteCode(error))) throw damaged(directory, error);
      throw unusable(directory, error);
    }
  }

  loadEntries(): Promise<readonly StoredEntry[]> {
    return this.#read(async (statements) => groupEntries(await statements.loadEntries()));
  }

  readEntry(key: EntryKey): Promise<StoredEntry | undefined> {
    return this.#read(async (statements) => groupEntries(await statements.readEntry(key))[0]);
  }

  insertVersion(key: EntryKey, version: StoredVersion, claims: Claims): Promise<InsertOutcome> {
    return this.#commit((statements) => statements.insertVersion(key, version, claims));
  }

  importEntry(entry: StoredEntry): Promise<ImportOutcome> {
    return this.#commit((statements) => statements.importEntry(entry));
  }

  deleteVersion(key: EntryKey, version: string): Promise<boolean> {
    return this.#commit((statements) => statements.deleteVersion(key, version));
  }

  updateStatus(key: EntryKey, version: string, change: StatusChange): Promise<boolean> {
    return this.#commit((statements) => statements.updateStatus(key, version, change));
  }

  replaceClaims(key: EntryKey, claims: StoredClaims): Promise<boolean> {
    return this.#commit((statements) => statements.replaceClaims(key, claims));
  }

  deleteEntries(source: string): Promise<number> {
    return this.#commit((statements) => statements.deleteEntries(source));
  }

  putRecord(kind: string, name: string, json: string): Promise<void> {
    return this.#commit((statements) => statements.putRecord(kind, name, json));
  }

  insertRecord(kind: string, name: string, json: string): Promise<boolean> {
    return this.#commit((statements) => statements.insertRecord(kind, name, json));
  }

  deleteRecord(kind: string, name: string): Promise<boolean> {
    return this.#commit((statements) => statements.deleteRecord(kind, name));
  }

  listRecords(kind: string): Promise<readonly StoredRecord[]> {
    return this.#read(async (statements) =>
      (await statements.listRecords(kind)).map((row) => recordRow.parse(row)),
    );
  }

  /**
   * Asks for free space, because the log may take a small write into room it has already; then a small durable write,
   * and after a failed change a large one, because a quota does not show as a full disk.
   */
  async probe(): Promise<void> {
    const { blocks, bavail, bsize } = await statfs(this.#file).catch((error) => {
      throw storeUnavailable('The file of the store cannot be found.', error);
    });
    if (blocks > 0 && bavail * bsize < LEAST_FREE_BYTES) throw storeUnavailable('The store is full.');
    const bytes = this.#failed ? PROBE_BYTES_AFTER_FAILURE : LEAST_PROBE_BYTES;
    await this.#commit((statements) => statements.writeProbe(bytes));
    if (bytes === LEAST_PROBE_BYTES) return;
    await this.#commit((statements) => statements.writeProbe(0));
    this.#failed = false;
  }

  async close(): Promise<void> {
    await this.#queue.whenIdle();
    this.#session?.connection.close();
    this.#session = undefined;
    this.#lock.release();
  }

  #commit<T>(change: (statements: SqliteStatements) => T): Promise<T> {
    return this.#queue.commit(() => {
      if (!this.#session) throw storeUnavailable('The store is closed.');
      return change(this.#session.statements);
    });
  }

  /** One after the other: a statement that lists cannot be begun again before it has ended. */
  #read<T>(read: (statements: SqliteStatements) => Promise<T>): Promise<T> {
    return this.#reads.run('', async () => {
      try {
        return await read((await this.#open()).statements);
      } catch (error) {
        throw readSqliteFailure(error);
      }
    });
  }

  async #runTransaction(changes: () => void): Promise<void> {
    try {
      const { connection } = await this.#open();
      await connection.exec('BEGIN IMMEDIATE');
      changes();
      await connection.exec('COMMIT');
    } catch (error) {
      await this.#recover(error);
      const failure = readSqliteFailure(error);
      this.#failed ||= isStoreUnavailable(failure);
      throw failure;
    }
  }

  /**
   * The connection, opened again when the last failure cost it. A file that was moved away or replaced is not written
   * to: what is answered as published would be in no file anybody finds, or in one that lacks the rest.
   */
  async #open(): Promise<Session> {
    const inode = statSync(this.#file, { throwIfNoEntry: false })?.ino;
    if (inode !== this.#inode) throw storeUnavailable('The file of the store was moved or replaced.');
    this.#session ??= await openSession(this.#file);
    return this.#session;
  }

  async #recover(error: unknown): Promise<void> {
    const connection = this.#session?.connection;
    if (!connection) return;
    try {
      if (connection.inTransaction) await connection.exec('ROLLBACK');
    } catch {
      // A connection that cannot roll back is given up; its transaction ends with it.
      this.#drop();
      return;
    }
    if (sqliteCode(error).startsWith('SQLITE_IOERR') || sqliteCode(error).startsWith('SQLITE_READONLY'))
      this.#drop();
  }

  #drop(): void {
    this.#session?.connection.close();
    this.#session = undefined;
  }
}

async function openSession(file: string): Promise<Session> {
  const connection = await openSqlite(file);
  try {
    await migrateSqlite(connection);
    const statements = await SqliteStatements.prepare(connection);
    return { connection, statements };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function damaged(directory: DataDirectory, cause: unknown): BerthError {
  return new BerthError(
    'overlay_damaged',
    `${OVERLAY_FILE} in the data directory ${directory.configured} is no readable overlay.`,
    {
      fix: 'Restore it from a backup, or move it away to start with nothing published.',
      cause,
    },
  );
}
