import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { BerthError } from '../../sources/errors.ts';

/** Where the overlay lives. */
export interface DataDirectory {
  /** Absolute path. */
  readonly path: string;
  /** As it stands in the configuration, for messages. */
  readonly configured: string;
}

/**
 * Makes the data directory (0700) and an empty file in it (0600) when they are not there yet.
 * @throws BerthError `data_dir_unusable` naming `dataDir` as configured
 */
export function prepareFile(directory: DataDirectory, file: string): void {
  try {
    mkdirSync(directory.path, { recursive: true, mode: 0o700 });
    // Opening a file that is there could cost the locks this process holds on it.
    if (statSync(file, { throwIfNoEntry: false }) === undefined) closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    throw unusable(directory, error);
  }
}

/** The start error for a data directory that cannot hold the overlay. */
export function unusable(directory: DataDirectory, cause: unknown): BerthError {
  const reason = REASONS[errorCode(cause)] ?? 'it cannot be used';
  return new BerthError(
    'data_dir_unusable',
    `The data directory ${directory.configured} cannot hold the overlay: ${reason}.`,
    {
      fix: 'Make it a directory this user may write, or set dataDir to another one.',
      cause,
    },
  );
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'part of its path is no directory',
  EEXIST: 'something that is no directory has its name',
  SQLITE_READONLY: 'no permission to write',
  SQLITE_FULL: 'the disk is full',
  SQLITE_CANTOPEN: 'its files cannot be opened',
  SQLITE_PERM: 'no permission',
};

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
