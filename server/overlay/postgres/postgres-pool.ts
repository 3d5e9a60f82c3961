import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { ConnectionSettings } from './connection-settings.ts';
import { CONNECT_TIMEOUT_MS, createClientClass, prepareSession } from './postgres-client.ts';
import { ConnectionFailure, isReadOnly, isSerializationFailure, sqlState } from './postgres-failure.ts';
import type { TlsChoice } from './tls-choice.ts';

export type SqlValue = string | number | boolean | null | Uint8Array | readonly (string | number)[];

/** A statement; with a name the database parses it once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /** Milliseconds to wait for the answer, instead of the default. */
  readonly timeout?: number;
}

export interface QueryResult {
  readonly rows: readonly unknown[];
  /** Rows that were changed or read. */
  readonly count: number;
}

export type RunQuery = (statement: Statement, values?: readonly SqlValue[]) => Promise<QueryResult>;

/** Connections besides the pool's: the listener and the holder of locks. */
const OTHER_CONNECTIONS = 2;
const MOST_TRIES = 10;
const FIRST_BACKOFF_MS = 4;
const MOST_BACKOFF_MS = 250;
/** States after which a session is not used again. */
const BROKEN = /^(57P|08|58|XX)/;

/** The connections that statements run on. A broken one is replaced by the next call. */
export class PostgresPool {
  readonly #tls: TlsChoice;
  readonly #pool: pg.Pool;

  constructor(settings: ConnectionSettings, tls: TlsChoice) {
    this.#tls = tls;
    const max = Math.max(1, settings.maxConnections - OTHER_CONNECTIONS);
    this.#pool = new pg.Pool({
      Client: createClientClass(settings, tls),
      max,
      min: Math.min(max, settings.keptConnections),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      maxLifetimeSeconds: settings.maxLifetime === undefined ? 0 : Math.ceil(settings.maxLifetime / 1000),
      onConnect: prepareSession,
    });
    // An idle connection that breaks is removed by the pool; whoever asks next gets a new one or the reason.
    this.#pool.on('error', () => {});
  }

  /** Runs one statement, a transaction of its own. Done again when it loses against another transaction. */
  query(statement: Statement, values: readonly SqlValue[] = []): Promise<QueryResult> {
    return this.#work((client) => runQuery(client, statement, values));
  }

  /** Runs statements as one transaction; `work` is done again when it loses against another one. */
  transact<T>(work: (run: RunQuery) => Promise<T>): Promise<T> {
    return this.#work(async (client) => {
      const run: RunQuery = (statement, values = []) => runQuery(client, statement, values);
      await run({ text: 'BEGIN' });
      try {
        const result = await work(run);
        await run({ text: 'COMMIT' });
        return result;
      } catch (error) {
        if (!(error instanceof ConnectionFailure)) await run({ text: 'ROLLBACK' });
        throw error;
      }
    });
  }

  /** Waits for what is under way. */
  close(): Promise<void> {
    return this.#pool.end();
  }

  async #work<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#workOnce(work);
      } catch (error) {
        if (isReadOnly(error) && tries === 1) continue;
        if (!isSerializationFailure(error) || tries >= MOST_TRIES) throw error;
      }
      const most = Math.min(MOST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** tries);
      await delay(Math.random() * most);
    }
  }

  async #workOnce<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#acquire();
    let broken: Error | undefined;
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      const gone = error instanceof ConnectionFailure || isReadOnly(error) || BROKEN.test(sqlState(error));
      if (gone && error instanceof Error) broken ??= error;
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  async #acquire(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect().catch((error) => {
        if (!this.#tls.changeAfter(error)) throw error;
        return this.#pool.connect();
      });
    } catch (error) {
      throw new ConnectionFailure(false, error);
    }
  }
}

/**
 * Runs a statement on a connection.
 * @throws DatabaseError what the database said, ConnectionFailure anything else
 */
export async function runQuery(
  client: pg.ClientBase,
  { name, text, timeout }: Statement,
  values: readonly SqlValue[] = [],
): Promise<QueryResult> {
  try {
    const { rows, rowCount } = await client.query({
      text,
      values: values.map((value) =>
        value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value,
      ),
      ...(name === undefined ? {} : { name }),
      ...(timeout === undefined ? {} : { query_timeout: timeout }),
    });
    return { rows, count: rowCount ?? 0 };
  } catch (error) {
    if (error instanceof pg.DatabaseError) throw error;
    throw new ConnectionFailure(true, error);
  }
}
