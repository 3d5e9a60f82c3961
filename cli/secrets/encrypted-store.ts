import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { withFileLock } from '../workloads/with-file-lock.ts';
import { findPassword, type PasswordSources } from './password-source.ts';
import {
  createSealingKey,
  deriveSealingKey,
  isKeyOf,
  openSealed,
  type SealingKey,
  sealSecrets,
} from './sealed-file.ts';
import type { SecretStore } from './secret-store.ts';

/** Secrets in one encrypted file. The password is not asked for before it is needed. */
export class EncryptedStore implements SecretStore {
  readonly provider = 'encrypted';
  readonly #file: string;
  readonly #sources: PasswordSources;
  #password: Promise<string> | undefined;
  #usedPassword: string | undefined;
  #key: SealingKey | undefined;

  constructor(file: string, sources: PasswordSources) {
    this.#file = file;
    this.#sources = sources;
  }

  /** The password that opened the file; undefined as long as none was needed. */
  get usedPassword(): string | undefined {
    return this.#usedPassword;
  }

  async get(name: string): Promise<string | undefined> {
    return (await this.#read()).get(name);
  }

  async list(): Promise<readonly string[]> {
    return [...(await this.#read()).keys()].sort();
  }

  async set(name: string, value: string): Promise<void> {
    await this.#change((secrets) => {
      secrets.set(name, value);
      return true;
    });
  }

  async remove(name: string): Promise<boolean> {
    if ((await this.#readFile()) === undefined) return false;
    return this.#change((secrets) => secrets.delete(name));
  }

  async exists(): Promise<boolean> {
    return (await this.#readFile()) !== undefined;
  }

  /**
   * Makes the file when there is none, otherwise opens it, so that a wrong password shows.
   * @throws BerthError `secrets_wrong_password`, `secrets_file_damaged`, `secrets_password_missing`
   */
  async create(): Promise<void> {
    if (await this.exists()) await this.#read();
    else await this.#change(() => true);
  }

  async #read(): Promise<Map<string, string>> {
    const text = await this.#readFile();
    if (text === undefined) return new Map();
    return openSealed(text, await this.#findKey(text), this.#file);
  }

  /** @param change answers whether it changed anything */
  async #change(change: (secrets: Map<string, string>) => boolean): Promise<boolean> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    // Before the lock: a person may take a while to type.
    await this.#findKey(await this.#readFile());
    return withFileLock(this.#file, async () => {
      const text = await this.#readFile();
      const key = await this.#findKey(text);
      const secrets = text === undefined ? new Map<string, string>() : openSealed(text, key, this.#file);
      if (!change(secrets)) return false;
      await writeFileAtomic(this.#file, sealSecrets(secrets, key), { mode: 0o600 });
      return true;
    });
  }

  async #findKey(text: string | undefined): Promise<SealingKey> {
    const known = this.#key;
    if (known && (text === undefined || isKeyOf(known, text, this.#file))) return known;
    this.#password ??= findPassword(this.#sources, text === undefined);
    // A person who mistyped is asked again by the next call.
    const forget = (): void => {
      this.#password = undefined;
    };
    const password = await this.#password.catch((error: unknown) => {
      forget();
      throw error;
    });
    try {
      const key =
        text === undefined
          ? await createSealingKey(password)
          : await deriveSealingKey(password, text, this.#file);
      this.#usedPassword = password;
      this.#key = key;
      return key;
    } catch (error) {
      forget();
      throw error;
    }
  }

  async #readFile(): Promise<string | undefined> {
    try {
      return await readFile(this.#file, 'utf8');
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
      throw new BerthError('secrets_unreadable', `The secrets file cannot be read (${messageOf(cause)}).`, {
        at: { file: this.#file },
        cause,
      });
    }
  }
}
