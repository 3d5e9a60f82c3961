import type { Plan } from '../run/plan.ts';
import { requireSecret } from '../secrets/require-secret.ts';
import type { SecretStore } from '../secrets/secret-store.ts';

/**
 * The headers of `--remote-forward-headers` and `--remote-forward-headers-secret` with their values.
 * @throws BerthError `secret_missing`
 */
export async function resolveForwardHeaders(
  { forwardHeaders }: Plan,
  secrets: SecretStore,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = { ...forwardHeaders?.plain };
  for (const [name, secretName] of Object.entries(forwardHeaders?.secret ?? {})) {
    headers[name] = await requireSecret(secrets, secretName);
  }
  return headers;
}
