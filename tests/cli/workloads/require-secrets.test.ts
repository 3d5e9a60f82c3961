import { describe, expect, it } from 'vitest';
import type { SecretStore } from '../../../cli/secrets/secret-store.ts';
import { requireSecrets } from '../../../cli/workloads/require-secrets.ts';
import { proves } from '../../requirements/proves.ts';
import { makeState } from './make-state.ts';

const { plan } = makeState('governed');
const webhook = { name: 'check', url: 'https://127.0.0.1:1/', timeout: 1, failure_policy: 'fail' };
const governed = {
  ...plan,
  secrets: { API_KEY: 'api-key' },
  forwardHeaders: { plain: {}, secret: { 'X-Key': 'header-key' } },
  webhooks: { validating: [{ ...webhook, hmac_secret_ref: 'hmac-key' }], mutating: [webhook] },
  telemetry: { headers: { 'x-key': 'collector-key' } } as unknown as NonNullable<typeof plan.telemetry>,
};

function storeOf(...names: readonly string[]): () => Promise<SecretStore> {
  const none = async () => false;
  return async () => ({
    provider: 'encrypted',
    get: async (name) => (names.includes(name) ? 'value' : undefined),
    set: async () => undefined,
    remove: none,
    list: async () => names,
  });
}

describe('secrets a workload needs', () => {
  it(`${proves('K-7-05')} names all that are missing, those of webhooks and collectors too`, async () => {
    await expect(requireSecrets(governed, storeOf('header-key'))).rejects.toMatchObject({
      code: 'secret_missing',
      message: 'There are no secrets "api-key", "hmac-key", "collector-key" (provider "encrypted").',
    });
  });

  it('says how to set the only one that is missing', async () => {
    const rest = storeOf('header-key', 'api-key', 'collector-key');
    await expect(requireSecrets(governed, rest)).rejects.toMatchObject({
      message: 'There is no secret "hmac-key" (provider "encrypted").',
      fix: 'Set it with "berth secret set hmac-key".',
    });
  });

  it('asks for nothing when nothing is needed or all is there', async () => {
    await requireSecrets(plan, () => Promise.reject(new Error('opened')));
    await requireSecrets(governed, storeOf('header-key', 'api-key', 'collector-key', 'hmac-key'));
  });
});
