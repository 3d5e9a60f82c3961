import { readFile } from 'node:fs/promises';
import { type Asking, createPasswordPrompt } from '../secrets/ask-hidden.ts';
import { readSettings } from '../settings/read-settings.ts';
import { settingsFile } from '../settings/settings.ts';
import { findUserDirectories } from '../user-directories.ts';
import { openRegistry } from './open-registry.ts';
import type { RegistryClient } from './registry-client.ts';

/** The part of a process that the configured registry depends on. */
export interface RegistryWorld extends Asking {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the PEM file of `--berth-ca-bundle`. */
  readonly caBundle?: string | undefined;
}

/**
 * Opens the registry a user configured, with the token of `registry login` (contract 2). Secrets are opened only when
 * the registry is a URL and something is asked of it.
 * @throws BerthError `registry_*`, ConfigError for settings that are not valid
 */
export async function openConfiguredRegistry(world: RegistryWorld): Promise<RegistryClient> {
  const { env, caBundle } = world;
  const directories = findUserDirectories(env);
  const settings = await readSettings(settingsFile(directories));
  const ca = caBundle === undefined ? undefined : await readFile(caBundle, 'utf8');
  let token: Promise<string | undefined> | undefined;
  const recall = async (base: string) => {
    const { openSecretStore } = await import('../secrets/open-secret-store.ts');
    const { recallRegistryToken } = await import('../remote/registry-login.ts');
    const askPassword = createPasswordPrompt(world);
    const secrets = await openSecretStore({ directories, env, askPassword });
    return recallRegistryToken(base, secrets, ca);
  };
  return openRegistry(settings, {
    registryToken: (base) => {
      token ??= recall(base);
      return token;
    },
    ...(ca === undefined ? {} : { ca }),
  });
}
