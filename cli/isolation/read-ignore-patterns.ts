import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BerthError, messageOf } from '../../sources/errors.ts';

/** The file in the root of a mount, and the one in the user's configuration directory. */
const LOCAL_FILE = '.berthignore';
const GLOBAL_FILE = 'berthignore';

/**
 * Reads the ignore patterns that hold for a mounted directory: the global ones first, so that those of the mount can
 * negate them. Comments and blank lines are left out; everything else stays as written.
 *
 * @param configDirectory undefined leaves the global patterns out (`--ignore-globally=false`)
 * @throws BerthError `ignore_unreadable` naming the file
 */
export async function readIgnorePatterns(
  directory: string,
  configDirectory: string | undefined,
): Promise<readonly string[]> {
  const files = [
    ...(configDirectory === undefined ? [] : [join(configDirectory, GLOBAL_FILE)]),
    join(directory, LOCAL_FILE),
  ];
  return (await Promise.all(files.map(readPatterns))).flat();
}

async function readPatterns(file: string): Promise<readonly string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return [];
    throw new BerthError('ignore_unreadable', `The ignore file cannot be read: ${messageOf(cause)}`, {
      at: { file },
      cause,
    });
  }
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
}
