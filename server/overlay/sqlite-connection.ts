import Database from 'libsql/promise';

/** A prepared statement; `run` and `get` work at once, on memory, inside a transaction. */
export interface SqliteStatement {
  run(values: readonly SqliteValue[]): { readonly changes: number };
  get(values: readonly SqliteValue[]): unknown;
  all(values: readonly SqliteValue[]): Promise<readonly unknown[]>;
}

export type SqliteValue = string | number | null;

/** What is used of the SQLite library. `exec` works on another thread, so a slow COMMIT does not stop the server. */
export interface SqliteConnection {
  readonly inTransaction: boolean;
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<SqliteStatement>;
  close(): void;
}

/**
 * Opens a database file, which must exist, for durable writes: WAL, and every commit is on the disk when it is
 * answered.
 * @throws the library's own error, with a `code` such as `SQLITE_NOTADB`
 */
export async function openSqlite(path: string): Promise<SqliteConnection> {
  const connection = new Database(path, { timeout: 5000 });
  const opened: SqliteConnection = {
    get inTransaction() {
      return Reflect.get(connection, 'inTransaction') === true;
    },
    exec: async (sql) => {
      await connection.exec(sql);
    },
    prepare: async (sql) => connection.prepare(sql),
    close: () => connection.close(),
  };
  try {
    await opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    return opened;
  } catch (error) {
    opened.close();
    throw error;
  }
}
