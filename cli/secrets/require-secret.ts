import { BerthError } from '../../sources/errors.ts';
import type { SecretStore } from './secret-store.ts';

/**
 * The value of a secret that something needs.
 * @throws BerthError `secret_missing` with its name
 */
export async function requireSecret(store: SecretStore, name: string): Promise<string> {
  const value = await store.get(name);
  if (value !== undefined) return value;
  throw new BerthError('secret_missing', `There is no secret "${name}" (provider "${store.provider}").`, {
    fix: howToSet(store.provider, name),
  });
}

function howToSet(provider: SecretStore['provider'], name: string): string {
  if (provider === 'environment') return `Set the variable BERTH_SECRET_${name}.`;
  if (provider === '1password') return 'Check the reference in 1Password.';
  return `Set it with "berth secret set ${name}".`;
}
