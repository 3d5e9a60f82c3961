import type { UserDirectories } from '../user-directories.ts';

/** One password in the keyring of the operating system. Every method rejects when there is no keyring. */
export interface Keyring {
  read(): Promise<string | undefined>;
  write(password: string): Promise<void>;
}

const SERVICE = 'berth';

/**
 * The keyring entry of the secrets file of these directories: two sets of directories never share a password.
 * On Linux only the Secret Service counts: what the kernel keyring holds is gone after a reboot.
 */
export function openKeyring({ data }: Pick<UserDirectories, 'data'>): Keyring {
  const open = async () => {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    return new AsyncEntry(SERVICE, `secrets ${data}`, { linux: { store: 'secret-service' } });
  };
  return {
    read: async () => (await (await open()).getPassword()) ?? undefined,
    write: async (password) => (await open()).setPassword(password),
  };
}
