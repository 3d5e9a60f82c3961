import { z } from 'zod';
import { suggestName } from '../../sources/config/nearest-name.ts';
import { BerthError } from '../../sources/errors.ts';
import { readSettings } from '../settings/read-settings.ts';
import { settingsFile } from '../settings/settings.ts';
import type { UserDirectories } from '../user-directories.ts';
import type { SecretStore } from './secret-store.ts';

export type SecretProvider = SecretStore['provider'];

export const SECRET_PROVIDERS: readonly SecretProvider[] = ['encrypted', 'environment', '1password'];

const choiceSchema = z.looseObject({ provider: z.string() });

/** The provider called so, or undefined. */
export function findProvider(name: string): SecretProvider | undefined {
  return SECRET_PROVIDERS.find((known) => known === name);
}

/**
 * BERTH_SECRETS_PROVIDER, else `secrets.provider` of config.yaml, else `encrypted`.
 * @throws BerthError `secrets_provider_unknown`; ConfigError for settings that are not valid
 */
export async function chooseProvider(
  directories: Pick<UserDirectories, 'config'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SecretProvider> {
  if (env.BERTH_SECRETS_PROVIDER) return nameProvider(env.BERTH_SECRETS_PROVIDER, 'BERTH_SECRETS_PROVIDER');
  const file = settingsFile(directories);
  const { secrets } = await readSettings(file);
  const given = choiceSchema.safeParse(secrets).data?.provider;
  return given === undefined ? 'encrypted' : nameProvider(given, file);
}

function nameProvider(given: string, file: string): SecretProvider {
  const provider = findProvider(given);
  if (provider) return provider;
  throw new BerthError('secrets_provider_unknown', `There is no secrets provider "${given}".`, {
    at: { file },
    fix: suggestName(given, SECRET_PROVIDERS) ?? `Use ${SECRET_PROVIDERS.join(', ')}.`,
  });
}
