import { readFile } from 'node:fs/promises';
import { BerthError } from '../../sources/errors.ts';
import { readStrictFile } from '../policy/read-strict-file.ts';
import { type Settings, settingsSchema } from './settings.ts';

/**
 * Reads the settings of a user; a file that is not there or empty means none.
 * @throws ConfigError `config_invalid` with file and line, BerthError `settings_unreadable`
 */
export async function readSettings(file: string): Promise<Settings> {
  const text = await readSettingsText(file);
  return isBlank(text) ? {} : readStrictFile(text, file, settingsSchema);
}

/** The text of the settings file; empty when it is not there. @throws BerthError `settings_unreadable` */
export async function readSettingsText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return '';
    throw new BerthError('settings_unreadable', 'The settings cannot be read.', { at: { file }, cause });
  }
}

/** Whether there is nothing but comments. */
function isBlank(text: string): boolean {
  return text.split('\n').every((line) => /^\s*(?:#.*|---\s*)?$/.test(line));
}
