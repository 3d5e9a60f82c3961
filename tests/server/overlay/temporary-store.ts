import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DataDirectory } from '../../../server/overlay/data-directory.ts';
import { SqliteStore } from '../../../server/overlay/sqlite-store.ts';

/** A data directory, not made yet, that lives as long as the running test. */
export function makeDataDirectory(): DataDirectory {
  const root = mkdtempSync(join(tmpdir(), 'berth-overlay-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return { path: join(root, 'data'), configured: './data' };
}

/** An open store that is closed when the test ends. */
export async function openStore(directory = makeDataDirectory()): Promise<SqliteStore> {
  const store = await SqliteStore.open(directory);
  onTestFinished(() => store.close());
  return store;
}
