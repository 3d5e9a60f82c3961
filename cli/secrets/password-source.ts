import { BerthError } from '../../sources/errors.ts';
import type { Keyring } from './keyring.ts';

/** Asks on the terminal; `isNew` when no secrets exist yet, so that a new password can be asked for twice. */
export type AskPassword = (isNew: boolean) => Promise<string>;

export interface PasswordSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly keyring: Keyring;
  /** Absent without a terminal. */
  readonly askPassword?: AskPassword | undefined;
}

/**
 * The password of the encrypted secrets: from BERTH_SECRETS_PASSWORD, else the keyring of the system, else the
 * terminal (contract 7).
 * @throws BerthError `secrets_password_missing`
 */
export async function findPassword(sources: PasswordSources, isNew: boolean): Promise<string> {
  const given = sources.env.BERTH_SECRETS_PASSWORD;
  if (given) return given;
  const kept = await sources.keyring.read().catch(() => undefined);
  if (kept) return kept;
  const typed = await sources.askPassword?.(isNew);
  if (typed) return typed;
  throw new BerthError('secrets_password_missing', 'There is no password for the secrets store.', {
    fix: 'Set BERTH_SECRETS_PASSWORD, or run "berth secret setup" once to keep it in the keyring of the system.',
  });
}
