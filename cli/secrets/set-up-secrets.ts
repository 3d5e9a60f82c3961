import { BerthError } from '../../sources/errors.ts';
import { type Asking, createPasswordPrompt } from './ask-hidden.ts';
import { openKeyring } from './keyring.ts';
import { openEncryptedStore, type SecretStoreOptions } from './open-secret-store.ts';
import { readText } from './read-value.ts';

/** How the password will be found from now on. */
export type PasswordPlace = 'environment' | 'keyring' | 'nowhere';

/**
 * Makes the encrypted store ready: finds out that the password opens what is there, or creates the file with it, and
 * keeps it in the keyring of the system unless BERTH_SECRETS_PASSWORD holds it.
 * @throws BerthError `secrets_wrong_password`, `secrets_password_missing`, `secrets_password_differs`
 */
export async function setUpEncrypted(options: SecretStoreOptions, asking: Asking): Promise<PasswordPlace> {
  const { directories, env } = options;
  if (env.BERTH_SECRETS_PASSWORD) {
    await openEncryptedStore(options).create();
    return 'environment';
  }
  const isNew = !(await openEncryptedStore(options).exists());
  const password = await (createPasswordPrompt(asking)?.(isNew) ?? readPassword(asking));
  await openEncryptedStore({ ...options, env: { ...env, BERTH_SECRETS_PASSWORD: password } }).create();
  try {
    await (options.keyring ?? openKeyring(directories)).write(password);
    return 'keyring';
  } catch {
    return 'nowhere';
  }
}

/** The first line of standard input; a second one must repeat it. */
async function readPassword({ stdin }: Asking): Promise<string> {
  const [password = '', again = ''] = (await readText(stdin)).split(/\r?\n/);
  if (password === '') {
    throw new BerthError('secrets_password_missing', 'There is no password for the secrets store.', {
      fix: 'Set BERTH_SECRETS_PASSWORD, or run this in a terminal.',
    });
  }
  if (again === '' || again === password) return password;
  throw new BerthError('secrets_password_differs', 'The two passwords are not the same.', {
    fix: 'Try again.',
  });
}
