import { z } from 'zod';
import { isEgressTarget } from './egress-targets.ts';

const allowedPort = z.int().min(1).max(65_535);
const allowedHost = z
  .string()
  .min(1)
  .refine(isEgressTarget, { error: 'is not a host name, ".suffix" for sub-domains or IP address' });

/** A permission profile (contract 4). Unknown keys are errors. */
export const profileSchema = z.strictObject({
  name: z.string().optional(),
  /** Mounts in the form of `--volume`, read-only. */
  read: z.array(z.string()).default([]),
  /** Mounts in the form of `--volume`, writable. */
  write: z.array(z.string()).default([]),
  network: z
    .strictObject({
      outbound: z
        .strictObject({
          insecure_allow_all: z.boolean().default(false),
          /** Names, `.suffix` for sub-domains, IP addresses. */
          allow_host: z.array(allowedHost).default([]),
          allow_port: z.array(allowedPort).default([]),
        })
        .prefault({}),
      inbound: z.strictObject({ allow_host: z.array(allowedHost).default([]) }).prefault({}),
    })
    .prefault({}),
  privileged: z.boolean().default(false),
});

export type Profile = z.infer<typeof profileSchema>;

/** The built-in profiles `none` and `network`. */
export const BUILT_IN_PROFILES: Readonly<Record<'none' | 'network', Profile>> = {
  none: profileSchema.parse({ name: 'none' }),
  network: profileSchema.parse({ name: 'network', network: { outbound: { insecure_allow_all: true } } }),
};
