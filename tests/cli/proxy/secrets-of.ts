import type { SecretStore } from '../../../cli/secrets/secret-store.ts';

/** A store that only reads. */
export const secretsOf = (values: Readonly<Record<string, string>>): SecretStore => ({
  provider: 'environment',
  get: async (name) => values[name],
  set: () => Promise.reject(new Error('read only')),
  remove: async () => false,
  list: async () => Object.keys(values),
});
