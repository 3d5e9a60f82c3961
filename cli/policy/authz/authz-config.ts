import { z } from 'zod';

/** The file of `--authz-config` (contract 5): policies of the Cedar language. Unknown keys are errors. */
export const authzSchema = z.strictObject({
  version: z.union([z.string().min(1), z.number()]),
  type: z.literal('cedarv1'),
  cedar: z.strictObject({
    policies: z.array(z.string().min(1)).min(1),
    /** A JSON array of Cedar entities, as text. */
    entities_json: z.string().optional(),
    /** Claim with the caller's groups, dots lead into objects. */
    group_claim_name: z.string().min(1).optional(),
    role_claim_name: z.string().min(1).optional(),
  }),
});
export type AuthzConfig = z.infer<typeof authzSchema>;
