import type { Plan } from '../run/plan.ts';
import { requireSecret } from '../secrets/require-secret.ts';
import type { SecretStore } from '../secrets/secret-store.ts';

/** The names of all secrets a plan refers to. */
export function listSecretNames({
  secrets,
  forwardHeaders,
  oidc,
  remoteAuth,
  tokenExchange,
}: Plan): readonly string[] {
  const names = [
    ...Object.values(secrets),
    ...Object.values(forwardHeaders?.secret ?? {}),
    oidc?.clientSecret,
    remoteAuth?.clientSecret,
    remoteAuth?.bearerToken,
    tokenExchange?.clientSecret,
  ];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/**
 * Makes sure that every secret a plan refers to is there, before anything is started for it (contract 7). The store is
 * opened only when there are any.
 * @throws BerthError `secret_missing` with the name
 */
export async function requireSecrets(plan: Plan, openStore: () => Promise<SecretStore>): Promise<void> {
  const names = listSecretNames(plan);
  if (names.length === 0) return;
  const store = await openStore();
  for (const name of names) await requireSecret(store, name);
}
