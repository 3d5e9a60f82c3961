import { z } from 'zod';
import { BerthError } from '../../sources/errors.ts';
import type { Plan } from '../run/plan.ts';
import { requireSecret } from '../secrets/require-secret.ts';
import type { SecretStore } from '../secrets/secret-store.ts';

/** What names secrets in the webhooks of a plan; whether the rest of them is right is judged where they are opened. */
const signed = z.array(z.object({ hmac_secret_ref: z.string().optional().catch(undefined) })).catch([]);
const signedWebhooks = z
  .object({ validating: signed, mutating: signed })
  .catch({ validating: [], mutating: [] });

/** The names of all secrets a plan refers to. */
export function listSecretNames({
  secrets,
  forwardHeaders,
  oidc,
  remoteAuth,
  tokenExchange,
  webhooks,
  telemetry,
}: Plan): readonly string[] {
  const { validating, mutating } = signedWebhooks.parse(webhooks);
  const names = [
    ...Object.values(secrets),
    ...Object.values(forwardHeaders?.secret ?? {}),
    oidc?.clientSecret,
    remoteAuth?.clientSecret,
    remoteAuth?.bearerToken,
    tokenExchange?.clientSecret,
    ...[...mutating, ...validating].map((webhook) => webhook.hmac_secret_ref),
    ...Object.values(telemetry?.headers ?? {}),
  ];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/**
 * Makes sure that every secret a plan refers to is there, before anything is started for it (contract 7). The store is
 * opened only when there are any.
 * @throws BerthError `secret_missing` with the names of all that are missing
 */
export async function requireSecrets(plan: Plan, openStore: () => Promise<SecretStore>): Promise<void> {
  const names = listSecretNames(plan);
  if (names.length === 0) return;
  const store = await openStore();
  const missing: string[] = [];
  for (const name of names) if ((await store.get(name)) === undefined) missing.push(name);
  const [first, second] = missing;
  if (first === undefined) return;
  // The answer about one alone says how it is set.
  if (second === undefined) return void (await requireSecret(store, first));
  const listed = missing.map((name) => `"${name}"`).join(', ');
  throw new BerthError('secret_missing', `There are no secrets ${listed} (provider "${store.provider}").`, {
    fix: FIXES[store.provider],
  });
}

const FIXES: Record<SecretStore['provider'], string> = {
  encrypted: 'Set each with "berth secret set NAME".',
  environment: 'Set the variable BERTH_SECRET_NAME of each.',
  '1password': 'Check the references in 1Password.',
};
