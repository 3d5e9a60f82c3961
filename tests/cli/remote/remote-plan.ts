import { type Plan, type PlanInput, planSchema } from '../../../cli/run/plan.ts';
import type { SecretStore } from '../../../cli/secrets/secret-store.ts';

/** A plan of a remote server that wants a login. */
export function planRemote(
  url: string,
  remoteAuth: NonNullable<PlanInput['remoteAuth']> = {},
  more: Partial<PlanInput> = {},
): Plan {
  return planSchema.parse({
    schemaVersion: '1',
    name: 'far',
    server: { kind: 'remote', url },
    transport: 'streamable-http',
    target: {},
    proxy: {},
    network: {},
    profile: {},
    ignore: {},
    limits: {},
    remoteAuth: { enabled: true, callbackPort: 18_666, ...remoteAuth },
    ...more,
  });
}

/** A store in memory. */
export function memorySecrets(
  values = new Map<string, string>(),
): SecretStore & { values: Map<string, string> } {
  return {
    values,
    provider: 'encrypted',
    get: async (name) => values.get(name),
    set: async (name, value) => void values.set(name, value),
    remove: async (name) => values.delete(name),
    list: async () => [...values.keys()].sort(),
  };
}
