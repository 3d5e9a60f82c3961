import { readFile } from 'node:fs/promises';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { type AuthFileName, type BuildSettings, readProxyVariables } from '../build/build-settings.ts';
import { requireSecret } from '../secrets/require-secret.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { readSettings } from '../settings/read-settings.ts';
import { type BuildAuthFile, type BuildVariable, settingsFile } from '../settings/settings.ts';
import type { UserDirectories } from '../user-directories.ts';

const AUTH_FILES: readonly (readonly [BuildAuthFile, AuthFileName])[] = [
  ['npmrc', 'npmrc'],
  ['netrc', 'netrc'],
  ['pip-conf', 'pip.conf'],
];

/**
 * What the user configured for builds, with the values of secrets and the contents of files, read now.
 * @throws BerthError `secret_missing`, `build_auth_file_unreadable`, and of the settings
 */
export async function readBuildSettings(
  directories: UserDirectories,
  env: Readonly<Record<string, string | undefined>>,
  openSecrets: () => Promise<SecretStore>,
): Promise<{ readonly settings: BuildSettings; readonly caCert: string | undefined }> {
  const found = await readSettings(settingsFile(directories));
  const variables: Record<string, string> = {};
  for (const [name, variable] of Object.entries(found['build-env'] ?? {})) {
    const value = await readVariable(variable, env, openSecrets);
    if (value !== undefined) variables[name] = value;
  }
  const authFiles: Partial<Record<AuthFileName, string>> = {};
  for (const [kind, name] of AUTH_FILES) {
    const file = found['build-auth-file']?.[kind];
    if (file !== undefined) authFiles[name] = await readAuthFile(file);
  }
  const proxies = readProxyVariables(env);
  const settings = { env: variables, authFiles, ...(Object.keys(proxies).length > 0 ? { proxies } : {}) };
  return { settings, caCert: found['ca-cert'] };
}

async function readVariable(
  variable: BuildVariable,
  env: Readonly<Record<string, string | undefined>>,
  openSecrets: () => Promise<SecretStore>,
): Promise<string | undefined> {
  if (typeof variable === 'string') return variable;
  if ('env' in variable) return env[variable.env];
  return requireSecret(await openSecrets(), variable.secret);
}

async function readAuthFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new BerthError('build_auth_file_unreadable', `The file cannot be read (${messageOf(cause)}).`, {
      at: { file },
      fix: 'Name another with `berth config set build-auth-file`.',
      cause,
    });
  }
}
