import type pg from 'pg';
import { z } from 'zod';
import { BerthError } from '../../../sources/errors.ts';
import { MIGRATIONS, type Migration, SERVICE_TABLES } from './migrations.ts';

/** What the schema of a database is, next to what this program knows. */
export interface MigrationStatus {
  /** 0 for a database without any. */
  readonly version: number;
  /** The newest this program knows. */
  readonly known: number;
  readonly migrations: readonly MigrationState[];
}

export interface MigrationState {
  readonly version: number;
  readonly name: string;
  /** ISO time; absent when it is still to be done. */
  readonly appliedAt?: string;
}

/** Any number; keeps two processes from migrating at the same time. */
const LOCK = 4_021_177_361;
const TIMEOUT_MS = 300_000;

const appliedRow = z.object({ version: z.number(), name: z.string(), applied_at: z.date() });

/**
 * What was applied to a database. Changes nothing.
 * @param migrations for tests
 */
export async function readMigrationStatus(
  client: pg.ClientBase,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<MigrationStatus> {
  const applied = await readApplied(client);
  const pending = migrations.filter(({ version }) => !applied.some((known) => known.version === version));
  return {
    version: applied.at(-1)?.version ?? 0,
    known: migrations.length,
    migrations: [...applied, ...pending.map(({ version, name }) => ({ version, name }))],
  };
}

export interface MigrateUpOptions {
  /** At most so many; all by default. */
  readonly steps?: number;
  /** The user the service connects as gets what it needs; the owner of the tables has it anyway. */
  readonly grantTo?: string;
  /** For tests. */
  readonly migrations?: readonly Migration[];
}

/**
 * Brings a database to the newest schema, in one transaction, while no other process does.
 * @returns what was applied now
 * @throws BerthError `overlay_too_new`; the library's own errors
 */
export async function migrateUp(
  client: pg.ClientBase,
  { steps, grantTo, migrations = MIGRATIONS }: MigrateUpOptions = {},
): Promise<readonly Migration[]> {
  return lockSchema(client, async () => {
    await client.query(`CREATE TABLE IF NOT EXISTS berth_migrations (
      version integer PRIMARY KEY,
      name text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`);
    const { version } = refuseNewer(await readMigrationStatus(client, migrations));
    const missing = migrations.filter((migration) => migration.version > version).slice(0, steps);
    for (const migration of missing) {
      await client.query(migration.up);
      await client.query('INSERT INTO berth_migrations (version, name) VALUES ($1, $2)', [
        migration.version,
        migration.name,
      ]);
    }
    if (grantTo !== undefined && missing.length > 0) await grantTables(client, grantTo);
    return missing;
  });
}

/**
 * Takes back the newest migrations, with the data in their tables, in one transaction.
 * @param steps how many; at most what is there
 * @returns what was taken back, the newest first
 * @throws BerthError `overlay_too_new` when the newest is not known here; the library's own errors
 */
export async function migrateDown(
  client: pg.ClientBase,
  steps: number,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly Migration[]> {
  return lockSchema(client, async () => {
    const { version } = refuseNewer(await readMigrationStatus(client, migrations));
    const taken = migrations
      .filter((migration) => migration.version <= version)
      .slice(-steps)
      .toReversed();
    for (const migration of taken) {
      await client.query(migration.down);
      await client.query('DELETE FROM berth_migrations WHERE version = $1', [migration.version]);
    }
    return taken;
  });
}

/** @throws BerthError `overlay_too_new` for a database that a newer program has migrated */
export function refuseNewer(status: MigrationStatus): MigrationStatus {
  if (status.version <= status.known) return status;
  throw new BerthError(
    'overlay_too_new',
    `The database has schema version ${status.version}; this program knows ${status.known}.`,
    { fix: 'Start the newer program, or let it take its migrations back with `berth migrate down`.' },
  );
}

async function lockSchema<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL statement_timeout = ${TIMEOUT_MS}`);
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // The first error says what was wrong; without a connection the transaction ends with it.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function readApplied(client: pg.ClientBase): Promise<Required<MigrationState>[]> {
  const { rows } = await client.query("SELECT to_regclass('berth_migrations') IS NOT NULL AS present");
  if (!z.object({ present: z.boolean() }).parse(rows[0]).present) return [];
  const applied = await client.query(
    'SELECT version, name, applied_at FROM berth_migrations ORDER BY version',
  );
  return z
    .array(appliedRow)
    .parse(applied.rows)
    .map(({ version, name, applied_at }) => ({ version, name, appliedAt: applied_at.toISOString() }));
}

async function grantTables(client: pg.ClientBase, user: string): Promise<void> {
  const grantee = client.escapeIdentifier(user);
  const { rows } = await client.query(
    'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL',
    [SERVICE_TABLES],
  );
  const tables = z.array(z.object({ name: z.string() })).parse(rows);
  const names = tables.map(({ name }) => name).join(', ');
  await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${names} TO ${grantee}`);
  await client.query(`GRANT SELECT ON berth_migrations TO ${grantee}`);
}
