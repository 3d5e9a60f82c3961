import { join } from 'node:path';
import Database from 'libsql';
import { BerthError } from '../../sources/errors.ts';
import { type DataDirectory, prepareFile, unusable } from './data-directory.ts';
import { sqliteCode } from './sqlite-failure.ts';

const LOCK_FILE = 'overlay.lock';

/** Held until `release`, or until the process ends in whatever way. */
export interface OverlayLock {
  release(): void;
}

/**
 * Makes this process the only one that writes the overlay of a data directory. The lock is the operating system's lock
 * on a file of its own, so that a crash releases it and the overlay itself stays readable for other commands.
 * @throws BerthError `overlay_locked` when another process has it, `data_dir_unusable`
 */
export function lockOverlay(directory: DataDirectory): OverlayLock {
  const file = join(directory.path, LOCK_FILE);
  prepareFile(directory, file);
  let connection: ReturnType<typeof open> | undefined;
  try {
    connection = open(file);
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;');
  } catch (error) {
    connection?.close();
    if (sqliteCode(error).startsWith('SQLITE_BUSY')) throw alreadyLocked(directory, error);
    throw unusable(directory, error);
  }
  const held = connection;
  return { release: () => held.close() };
}

function open(file: string) {
  return new Database(file, { timeout: 0 });
}

function alreadyLocked(directory: DataDirectory, cause: unknown): BerthError {
  return new BerthError(
    'overlay_locked',
    `Another berth process serves from the data directory ${directory.configured}.`,
    {
      fix: 'Stop it, or set another dataDir; to run several processes as one registry, configure `database` (PostgreSQL).',
      cause,
    },
  );
}
