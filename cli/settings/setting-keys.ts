import { suggestName } from '../../sources/config/nearest-name.ts';
import { UsageError } from '../usage-error.ts';
import { BUILD_AUTH_FILES, type BuildAuthFile } from './settings.ts';

/** What `config set`, `get` and `unset` know. */
export const SETTING_KEYS = [
  'registry',
  'ca-cert',
  'build-env',
  'build-auth-file',
  'client-metadata-url',
] as const;
export type SettingKey = (typeof SETTING_KEYS)[number];

/** @throws UsageError */
export function readSettingKey(given: string): SettingKey {
  const key = SETTING_KEYS.find((known) => known === given);
  if (key !== undefined) return key;
  throw new UsageError(`There is no setting "${given}".`, {
    fix: suggestName(given, SETTING_KEYS) ?? `Use ${SETTING_KEYS.join(', ')}.`,
  });
}

/** @throws UsageError */
export function readAuthFileKind(given: string): BuildAuthFile {
  const kind = BUILD_AUTH_FILES.find((known) => known === given);
  if (kind !== undefined) return kind;
  throw new UsageError(`There is no build-auth-file "${given}".`, {
    fix: suggestName(given, BUILD_AUTH_FILES) ?? `Use ${BUILD_AUTH_FILES.join(', ')}.`,
  });
}

/** The name of a build variable. @throws UsageError */
export function readVariableName(given: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(given)) return given;
  throw new UsageError(`"${given}" cannot be the name of a variable.`);
}
