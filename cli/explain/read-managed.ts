import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ManagedSource } from '../../server/overlay/overlay-segment.ts';
import { openSqlite } from '../../server/overlay/sqlite-connection.ts';
import { groupEntries } from '../../server/overlay/sqlite-rows.ts';
import { SqliteStatements } from '../../server/overlay/sqlite-statements.ts';
import { BerthError, messageOf } from '../../sources/errors.ts';
import type { Segment } from '../../sources/model/entry-table.ts';

const OVERLAY_FILE = 'overlay.db';

/**
 * What was published into managed sources, read beside a service that may be running. Nothing is written, and without
 * a file nothing was published.
 * @param dataDir absolute
 * @throws BerthError `overlay_unreadable`
 */
export async function readManaged(dataDir: string, sources: readonly string[]): Promise<Segment[]> {
  const managed = new Map(sources.map((source) => [source, new ManagedSource(source)]));
  const file = join(dataDir, OVERLAY_FILE);
  if (sources.length > 0 && existsSync(file)) {
    for (const entry of await loadEntries(file)) managed.get(entry.source)?.addEntry(entry);
  }
  return [...managed.values()].map(({ segment }) => segment);
}

async function loadEntries(file: string) {
  try {
    const connection = await openSqlite(file);
    try {
      return groupEntries(await (await SqliteStatements.prepare(connection)).loadEntries());
    } finally {
      connection.close();
    }
  } catch (error) {
    throw new BerthError('overlay_unreadable', `Published entries cannot be read (${messageOf(error)}).`, {
      fix: 'Ask the running service instead: GET /v1/explain.',
      cause: error,
    });
  }
}
