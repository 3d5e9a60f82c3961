import { refuseFlag } from './flag-error.ts';
import { readSecretFile } from './read-files.ts';
import { readText } from './read-values.ts';

/**
 * A secret that is given by a flag or by its `-file` twin.
 * @throws UsageError when both are given, BerthError `file_unreadable`, `secret_file_empty`
 */
export function readGivenSecret(
  flag: string,
  value: string | undefined,
  file: string | undefined,
  cwd: string,
): string | undefined {
  if (value !== undefined && file !== undefined) {
    throw refuseFlag(flag, `It cannot be given together with ${flag}-file.`, 'Leave one of the two out.');
  }
  return file === undefined ? readText(flag, value) : readSecretFile(`${flag}-file`, file, cwd);
}
