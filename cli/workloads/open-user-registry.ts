import { readCaBundle } from '../read-ca-bundle.ts';
import { openRegistry } from '../registry/open-registry.ts';
import type { RegistryClient } from '../registry/registry-client.ts';
import { readRegistryBase } from '../registry/registry-url.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { readSettings } from '../settings/read-settings.ts';
import { settingsFile } from '../settings/settings.ts';
import type { UserDirectories } from '../user-directories.ts';

/**
 * Opens the registry of the user's settings with the token of `registry login`.
 * @param caBundle absolute path of a PEM file to trust besides the system's authorities
 * @throws BerthError `ca_bundle_unreadable`, and of `openRegistry`
 */
export async function openUserRegistry(
  directories: UserDirectories,
  openSecrets: () => Promise<SecretStore>,
  caBundle: string | undefined,
): Promise<RegistryClient> {
  const settings = await readSettings(settingsFile(directories));
  const ca = readCaBundle(caBundle);
  // Without a login the secrets, and their password, are left alone.
  const base = settings.registry === undefined ? undefined : readRegistryBase(settings.registry);
  const isLoggedIn = base !== undefined && settings['registry-logins']?.includes(base) === true;
  return openRegistry(settings, {
    ...(ca === undefined ? {} : { ca }),
    ...(isLoggedIn ? { registryToken: await openTokens(openSecrets, ca) } : {}),
  });
}

async function openTokens(openSecrets: () => Promise<SecretStore>, ca: string | undefined) {
  const { createRegistryTokens } = await import('../remote/registry-login.ts');
  return createRegistryTokens(openSecrets, ca);
}
