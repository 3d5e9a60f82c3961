import { BerthError } from '../../sources/errors.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Steps that bring an overlay from version n (their index) to n + 1. A step that was released never changes. */
const STEPS: readonly string[] = [
  `
  CREATE TABLE entries (
    source TEXT NOT NULL,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    claims TEXT NOT NULL,
    claims_key TEXT NOT NULL,
    claims_changed_at INTEGER NOT NULL,
    PRIMARY KEY (source, type, name)
  ) STRICT;
  CREATE TABLE versions (
    source TEXT NOT NULL,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    body TEXT NOT NULL,
    tags TEXT NOT NULL,
    tools TEXT NOT NULL,
    status TEXT NOT NULL,
    status_message TEXT,
    published_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    status_changed_at INTEGER NOT NULL,
    PRIMARY KEY (source, type, name, version),
    FOREIGN KEY (source, type, name) REFERENCES entries (source, type, name) ON DELETE CASCADE
  ) STRICT;
  CREATE TABLE records (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (kind, name)
  ) STRICT;
  CREATE TABLE probe (id INTEGER PRIMARY KEY CHECK (id = 1), filler BLOB NOT NULL) STRICT;
  `,
];

/**
 * Brings the tables to the version this program knows, in one transaction.
 * @throws BerthError `overlay_too_new` for an overlay a newer program has written
 */
export async function migrateSqlite(connection: SqliteConnection): Promise<void> {
  await connection.exec('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL) STRICT');
  const [row] = await (await connection.prepare('SELECT max(version) AS version FROM schema_version')).all(
    [],
  );
  const version = readVersion(row);
  if (version > STEPS.length) {
    throw new BerthError(
      'overlay_too_new',
      `The overlay has schema version ${version}; this program knows ${STEPS.length}.`,
      {
        fix: 'Start the newer program, or restore the overlay.db of before it ran.',
      },
    );
  }
  const steps = STEPS.slice(version);
  if (steps.length === 0) return;
  const record = `DELETE FROM schema_version; INSERT INTO schema_version VALUES (${STEPS.length});`;
  await connection.exec(`BEGIN IMMEDIATE; ${steps.join('\n')} ${record} COMMIT;`);
}

function readVersion(row: unknown): number {
  const version: unknown = typeof row === 'object' && row !== null && 'version' in row ? row.version : null;
  return typeof version === 'number' ? version : 0;
}
