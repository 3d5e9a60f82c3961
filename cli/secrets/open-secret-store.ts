import { join } from 'node:path';
import type { UserDirectories } from '../user-directories.ts';
import { EncryptedStore } from './encrypted-store.ts';
import { EnvironmentStore } from './environment-store.ts';
import { type Keyring, openKeyring } from './keyring.ts';
import { OnePasswordStore } from './one-password-store.ts';
import type { AskPassword } from './password-source.ts';
import { chooseProvider } from './secret-provider.ts';
import type { SecretStore } from './secret-store.ts';
import { WithSystemSecrets } from './with-system-secrets.ts';

export interface SecretStoreOptions {
  readonly directories: UserDirectories;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How to ask on the terminal; absent without one. */
  readonly askPassword?: AskPassword | undefined;
  /** For tests; default: the keyring of the operating system. */
  readonly keyring?: Keyring | undefined;
}

/**
 * Opens the secrets of the user with the provider that BERTH_SECRETS_PROVIDER or the settings choose (contract 7 and
 * 8). Nothing is asked for, and nothing is written, before a secret is read or set.
 * @throws BerthError `secrets_provider_unknown`; the methods of the store: `secrets_password_missing`,
 *   `secrets_wrong_password`, `secrets_file_damaged`, `state_locked`
 */
export async function openSecretStore(options: SecretStoreOptions): Promise<SecretStore> {
  const provider = await chooseProvider(options.directories, options.env);
  const encrypted = openEncryptedStore(options);
  switch (provider) {
    case 'encrypted':
      return encrypted;
    case 'environment':
      return new WithSystemSecrets(new EnvironmentStore(options.env), encrypted);
    case '1password':
      return new WithSystemSecrets(new OnePasswordStore(options.env), encrypted);
  }
}

/** The encrypted file of these directories, whatever provider is chosen. */
export function openEncryptedStore({
  directories,
  env,
  askPassword,
  keyring,
}: SecretStoreOptions): EncryptedStore {
  return new EncryptedStore(join(directories.data, 'secrets.enc'), {
    env,
    keyring: keyring ?? openKeyring(directories),
    askPassword,
  });
}

/**
 * The password that was typed or found while the store was used, for a child process that has neither terminal nor
 * keyring session: hand it over IPC or in BERTH_SECRETS_PASSWORD, never in an argument. Undefined when none was needed.
 */
export function passwordForChild(store: SecretStore): string | undefined {
  if (store instanceof EncryptedStore) return store.usedPassword;
  return store instanceof WithSystemSecrets ? store.system.usedPassword : undefined;
}
