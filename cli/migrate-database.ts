import type { DatabaseConfig } from '../server/overlay/postgres/connection-settings.ts';
import { loadConfig } from '../sources/config/load-config.ts';
import { BerthError } from '../sources/errors.ts';
import { UsageError } from './usage-error.ts';

/** The block `database` of a configuration, and the directory its relative paths start from. */
export interface ConfiguredDatabase {
  readonly database: DatabaseConfig;
  readonly baseDir: string;
}

/**
 * Reads which database a configuration names.
 * @throws BerthError `database_missing` when it keeps its overlay in SQLite; ConfigError
 */
export async function readDatabase(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ConfiguredDatabase> {
  const { config, baseDir } = await loadConfig(file, { env });
  if (config.database) return { database: config.database, baseDir };
  throw new BerthError('database_missing', 'The configuration has no database block.', {
    at: { file },
    fix: 'Add one, or leave migrations alone: the SQLite file under dataDir is migrated when it is opened.',
  });
}

/** @throws UsageError for anything but a whole number from 1 */
export function readSteps(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,3}$/.test(given)) return Number(given);
  throw new UsageError(`"${given}" is no number of steps.`, {
    at: { flag: '--steps' },
    fix: 'Use 1 or more.',
  });
}
