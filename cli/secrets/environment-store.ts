import { refuseWriting } from './refuse-writing.ts';
import type { SecretStore } from './secret-store.ts';

const PREFIX = 'BERTH_SECRET_';

/** Secrets in variables `BERTH_SECRET_<NAME>`: the name as it is, else upper case with `_` for what a variable cannot hold. */
export class EnvironmentStore implements SecretStore {
  readonly provider = 'environment';
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  async get(name: string): Promise<string | undefined> {
    const upper = name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
    return this.#env[PREFIX + name] || this.#env[PREFIX + upper] || undefined;
  }

  async set(name: string): Promise<void> {
    refuseWriting(this.provider, name, `Set the variable ${PREFIX}${name} instead.`);
  }

  async remove(name: string): Promise<boolean> {
    return refuseWriting(this.provider, name, `Unset the variable ${PREFIX}${name} instead.`);
  }

  async list(): Promise<readonly string[]> {
    return Object.keys(this.#env)
      .filter((key) => key.startsWith(PREFIX) && key.length > PREFIX.length && this.#env[key])
      .map((key) => key.slice(PREFIX.length))
      .sort();
  }
}
