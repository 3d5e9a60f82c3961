import { BerthError } from '../errors.ts';

/** The code of a system error such as `ENOENT`. */
export function readErrorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The error to throw when a path of a source cannot be read; names the shown path, never the host's. */
export function explainFileError(error: unknown, shown: string): BerthError {
  const code = readErrorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new BerthError('source_not_found', 'The path does not exist.', {
      at: { file: shown },
      fix: 'Create it, or correct `path`; relative paths start at the directory of the configuration file.',
    });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new BerthError('source_unreadable', 'The path may not be read.', {
      at: { file: shown },
      fix: 'Let the user that runs Berth read it.',
    });
  }
  return new BerthError('source_unreadable', `The path cannot be read${code ? ` (${code})` : ''}.`, {
    at: { file: shown },
    fix: 'Name a regular file, a directory or a glob.',
  });
}
