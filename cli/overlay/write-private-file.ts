import writeFileAtomic from 'write-file-atomic';
import { BerthError, messageOf } from '../../sources/errors.ts';

/**
 * Writes a file that only its owner may read, whole or not at all.
 * @throws BerthError `overlay_file_unwritable`
 */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  try {
    await writeFileAtomic(file, text, { mode: 0o600 });
  } catch (cause) {
    throw new BerthError('overlay_file_unwritable', `The file cannot be written (${messageOf(cause)}).`, {
      at: { flag: '--out' },
      fix: 'Name a file in a directory that is there and may be written.',
      cause,
    });
  }
}
