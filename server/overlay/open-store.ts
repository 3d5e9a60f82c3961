import type { LoadedConfig } from '../../sources/config/schema.ts';
import type { Log } from '../observe/log.ts';
import type { ImportingStore, OverlayStore } from './overlay-store.ts';
import type { ReplicaLink } from './postgres/replica-link.ts';

/** An open store, and the link to the other processes when there may be some. */
export interface OpenedStore extends OverlayStore {
  readonly replicas?: ReplicaLink;
}

/**
 * Opens the store the configuration asks for: PostgreSQL with a `database` block, else SQLite under `dataDir` (contract
 * 2). Only the library that is needed is loaded.
 * @throws BerthError for everything that keeps it from opening, see `PostgresStore.open` and `SqliteStore.open`
 */
export async function openStore(
  { config, baseDir, dataDir }: LoadedConfig,
  log: Log,
): Promise<OpenedStore & ImportingStore> {
  if (config.database) {
    const { PostgresStore } = await import('./postgres/postgres-store.ts');
    return PostgresStore.open({ config: config.database, baseDir, log });
  }
  const { SqliteStore } = await import('./sqlite-store.ts');
  return SqliteStore.open({ path: dataDir, configured: config.dataDir });
}
