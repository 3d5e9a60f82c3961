import { z } from 'zod';

const pointer = z.string();
const operation = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), path: pointer, value: z.unknown() }),
  z.object({ op: z.literal('replace'), path: pointer, value: z.unknown() }),
  z.object({ op: z.literal('test'), path: pointer, value: z.unknown() }),
  z.object({ op: z.literal('remove'), path: pointer }),
  z.object({ op: z.literal('move'), path: pointer, from: pointer }),
  z.object({ op: z.literal('copy'), path: pointer, from: pointer }),
]);
export type PatchOperation = z.infer<typeof operation>;

/** What a webhook answers (contract 5). Members we do not know are left aside: the receiver may be newer than we are. */
export const webhookAnswerSchema = z.object({
  uid: z.string().optional(),
  allowed: z.boolean(),
  code: z.number().optional(),
  message: z.string().max(4096).optional(),
  patch_type: z.literal('json_patch').optional(),
  patch: z.array(operation).max(1000).optional(),
});
export type WebhookAnswer = z.infer<typeof webhookAnswerSchema>;
