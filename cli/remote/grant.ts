import { z } from 'zod';
import type { SecretStore } from '../secrets/secret-store.ts';

/** What a login left, for one issuer: enough to get new tokens without a person. Kept in the secrets store only. */
const grantSchema = z.strictObject({
  issuer: z.string(),
  tokenEndpoint: z.string(),
  clientId: z.string(),
  clientSecret: z.string().optional(),
  authMethod: z.enum(['none', 'client_secret_basic', 'client_secret_post']),
  resource: z.string().optional(),
  accessToken: z.string(),
  /** Milliseconds since the epoch; absent when the server did not tell. */
  expiresAt: z.number().optional(),
  refreshToken: z.string().optional(),
});
export type Grant = z.infer<typeof grantSchema>;

const recordSchema = z.strictObject({
  /** The issuer of the last login. */
  current: z.string(),
  /** By issuer: what one gave is never shown to another. */
  grants: z.record(z.string(), grantSchema),
});

/** Where the grants of one workload or registry are kept. */
export interface GrantStore {
  load(): Promise<Grant | undefined>;
  save(grant: Grant): Promise<void>;
  forget(): Promise<void>;
}

/** @param name of the secret */
export function openGrantStore(secrets: SecretStore, name: string): GrantStore {
  const read = async () => {
    const text = await secrets.get(name);
    if (text === undefined) return undefined;
    const parsed = recordSchema.safeParse(parse(text));
    return parsed.success ? parsed.data : undefined;
  };
  return {
    async load() {
      const record = await read();
      return record?.grants[record.current];
    },
    async save(grant) {
      const record = await read();
      const grants = { ...record?.grants, [grant.issuer]: grant };
      await secrets.set(name, JSON.stringify({ current: grant.issuer, grants }));
    },
    async forget() {
      await secrets.remove(name);
    },
  };
}

/** The secret that holds the grants of a workload. */
export function nameWorkloadGrant(workload: string): string {
  return `berth.${workload}.remote-grant`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
