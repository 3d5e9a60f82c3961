import { BerthError } from '../../sources/errors.ts';
import type { Plan } from '../run/plan.ts';
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
    const value = await secrets.get(secretName);
    if (value === undefined) {
      throw new BerthError('secret_missing', `The secret ${secretName} is not in the store.`, {
        at: { flag: '--remote-forward-headers-secret' },
        fix: `Set it with berth secret set ${secretName}.`,
      });
    }
    headers[name] = value;
  }
  return headers;
}
