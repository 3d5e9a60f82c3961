import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../server/observe/log.ts';
import { openStore } from '../../server/overlay/open-store.ts';
import type { StoredEntry, StoredRecord } from '../../server/overlay/overlay-store.ts';
import { openSqlite } from '../../server/overlay/sqlite-connection.ts';
import { groupEntries, recordRow } from '../../server/overlay/sqlite-rows.ts';
import { SqliteStatements } from '../../server/overlay/sqlite-statements.ts';
import type { LoadedConfig } from '../../sources/config/schema.ts';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { API_RECORDS } from './api-record.ts';

const OVERLAY_FILE = 'overlay.db';

export interface ReadOverlay {
  readonly entries: readonly StoredEntry[];
  readonly records: readonly StoredRecord[];
}

/**
 * Everything the overlay of a configuration holds, read beside the services that may use it. Of a SQLite file it is one
 * moment; without a file there is nothing.
 * @throws BerthError `overlay_unreadable`; for PostgreSQL see `PostgresStore.open`
 */
export async function readOverlay(loaded: LoadedConfig): Promise<ReadOverlay> {
  if (!loaded.config.database) return readFile(join(loaded.dataDir, OVERLAY_FILE), loaded.config.dataDir);
  const store = await openStore(loaded, createLog({ level: 'silent' }));
  try {
    return await readAll(() => store.loadEntries(), store.listRecords.bind(store));
  } finally {
    await store.close();
  }
}

async function readFile(file: string, configured: string): Promise<ReadOverlay> {
  if (!existsSync(file)) return { entries: [], records: [] };
  try {
    const connection = await openSqlite(file);
    try {
      await connection.exec('BEGIN');
      const statements = await SqliteStatements.prepare(connection);
      const overlay = await readAll(
        async () => groupEntries(await statements.loadEntries()),
        async (kind) => (await statements.listRecords(kind)).map((row) => recordRow.parse(row)),
      );
      await connection.exec('COMMIT');
      return overlay;
    } finally {
      connection.close();
    }
  } catch (cause) {
    throw new BerthError(
      'overlay_unreadable',
      `${OVERLAY_FILE} in the data directory ${configured} cannot be read (${messageOf(cause)}).`,
      { fix: 'Run this as the user of the service, with the same version of Berth.', cause },
    );
  }
}

async function readAll(
  loadEntries: () => Promise<readonly StoredEntry[]>,
  listRecords: (kind: string) => Promise<readonly StoredRecord[]>,
): Promise<ReadOverlay> {
  const entries = await loadEntries();
  const records: StoredRecord[] = [];
  for (const kind of API_RECORDS) records.push(...(await listRecords(kind)));
  return { entries, records };
}
