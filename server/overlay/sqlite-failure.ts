import { storeUnavailable } from './store-unavailable.ts';

/** Failures that are a mistake in a statement or its values: another try gives the same. */
const OWN_MISTAKES = [
  'SQLITE_CONSTRAINT',
  'SQLITE_MISMATCH',
  'SQLITE_MISUSE',
  'SQLITE_RANGE',
  'SQLITE_TOOBIG',
];

/** The SQLite result code of anything thrown, such as `SQLITE_FULL`; empty when it carries none. */
export function sqliteCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/**
 * What a failed statement means: HttpError 503 `store_unavailable` when the disk, the file or the library failed, the
 * error itself when it is a mistake of ours.
 */
export function readSqliteFailure(error: unknown): unknown {
  const code = sqliteCode(error);
  if (!code.startsWith('SQLITE_') || OWN_MISTAKES.some((mistake) => code.startsWith(mistake))) return error;
  const detail = code === 'SQLITE_FULL' ? 'The store is full.' : 'The store cannot be written or read.';
  return storeUnavailable(detail, error);
}
