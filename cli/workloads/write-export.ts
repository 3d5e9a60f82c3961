import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BerthError, messageOf } from '../../sources/errors.ts';

/**
 * Writes an exported configuration for its owner alone: it may hold values of variables that are nobody's business.
 * @throws BerthError `export_unwritable`
 */
export async function writeExport(path: string, text: string): Promise<void> {
  const { default: writeFileAtomic } = await import('write-file-atomic');
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, text, { mode: 0o600 });
  } catch (cause) {
    throw new BerthError('export_unwritable', `The file cannot be written (${messageOf(cause)}).`, {
      at: { file: path },
      fix: 'Name a file in a directory that may be written.',
      cause,
    });
  }
}
