import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { BerthError, messageOf } from '../../../sources/errors.ts';
import {
  type ConnectionSettings,
  type DatabaseConfig,
  describeDatabase,
  readMigrationSettings,
} from './connection-settings.ts';
import { migrateUp, readMigrationStatus, refuseNewer } from './migrate.ts';
import { connectClient } from './postgres-client.ts';
import { sqlState } from './postgres-failure.ts';
import { TlsChoice } from './tls-choice.ts';

/** How long a database that is just starting is waited for. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 250;

/**
 * Brings the database to the schema this program needs. Connects as `migrationUser` when there is one; when nothing is
 * to be done the service's own user is enough.
 * @param patience milliseconds to wait for a database that does not answer yet
 * @throws BerthError `database_unreachable`, `database_migration_refused`, `overlay_too_new`
 */
export async function prepareDatabase(
  config: DatabaseConfig,
  baseDir: string,
  settings: ConnectionSettings,
  patience = PATIENCE_MS,
): Promise<void> {
  const { version, known } = await useDatabase(
    settings,
    async (client) => refuseNewer(await readMigrationStatus(client)),
    patience,
  );
  if (version === known) return;
  const grantTo = settings.user;
  await workOnSchema(config, baseDir, (client) => migrateUp(client, { grantTo }), patience);
}

/**
 * Connects as the user of migrations, works and disconnects.
 * @throws BerthError `database_unreachable`, `secret_unreadable`, `database_migration_refused`; what `work` throws
 */
export async function workOnSchema<T>(
  config: DatabaseConfig,
  baseDir: string,
  work: (client: pg.Client) => Promise<T>,
  patience = 0,
): Promise<T> {
  const settings = readMigrationSettings(config, baseDir);
  try {
    return await useDatabase(settings, work, patience);
  } catch (error) {
    if (sqlState(error) !== '42501') throw error;
    throw new BerthError(
      'database_migration_refused',
      `The user ${settings.user} may not change the tables of Berth in the database ${describeDatabase(settings)}.`,
      {
        at: { flag: 'database.migrationUser' },
        fix: 'Let the user create tables in the schema, or set migrationUser and migrationPassword.',
        cause: error,
      },
    );
  }
}

/**
 * Connects, works and disconnects.
 * @throws BerthError `database_unreachable`, `secret_unreadable`; what `work` throws
 */
export async function useDatabase<T>(
  settings: ConnectionSettings,
  work: (client: pg.Client) => Promise<T>,
  patience = 0,
): Promise<T> {
  const client = await connectPatiently(settings, patience);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function connectPatiently(settings: ConnectionSettings, patience: number): Promise<pg.Client> {
  const until = Date.now() + patience;
  for (;;) {
    try {
      return await connectClient(settings, new TlsChoice(settings));
    } catch (error) {
      if (error instanceof BerthError) throw error;
      if (!mayComeUp(error) || Date.now() >= until) throw unreachable(settings, error);
    }
    await delay(RETRY_MS);
  }
}

/** A wrong password stays wrong; a database that is starting or not there yet may come. */
function mayComeUp(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(57P|53)/.test(error.code ?? '');
}

function unreachable(settings: ConnectionSettings, cause: unknown): BerthError {
  const reason = cause instanceof AggregateError ? cause.errors.map(messageOf).join(', ') : messageOf(cause);
  return new BerthError(
    'database_unreachable',
    `The database ${describeDatabase(settings)} cannot be used by ${settings.user}: ${reason}.`,
    { at: { flag: 'database' }, fix: 'Check the database block and that PostgreSQL runs.', cause },
  );
}
