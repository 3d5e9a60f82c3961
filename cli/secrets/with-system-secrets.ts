import type { EncryptedStore } from './encrypted-store.ts';
import { isSystemSecret, type SecretStore } from './secret-store.ts';

/**
 * A read-only provider for the secrets of the user, with an encrypted file beside it for what Berth itself has to
 * keep: values given by flags and refresh tokens.
 */
export class WithSystemSecrets implements SecretStore {
  readonly provider: SecretStore['provider'];
  readonly #user: SecretStore;
  readonly system: EncryptedStore;

  constructor(user: SecretStore, system: EncryptedStore) {
    this.provider = user.provider;
    this.#user = user;
    this.system = system;
  }

  get(name: string): Promise<string | undefined> {
    return this.#of(name).get(name);
  }

  set(name: string, value: string): Promise<void> {
    return this.#of(name).set(name, value);
  }

  remove(name: string): Promise<boolean> {
    return this.#of(name).remove(name);
  }

  /** Those of the user: the file of the system secrets would need its password. */
  list(): Promise<readonly string[]> {
    return this.#user.list();
  }

  #of(name: string): SecretStore {
    return isSystemSecret(name) ? this.system : this.#user;
  }
}
