import { z } from 'zod';

/** What is read of a custom resource; the rest is dropped, so that a large cluster costs little memory. */
export const customResourceSchema = z.object({
  metadata: z.object({
    name: z.string(),
    namespace: z.string().default(''),
    resourceVersion: z.string().optional(),
    creationTimestamp: z.string().nullish(),
    deletionTimestamp: z.string().nullish(),
    annotations: z.record(z.string(), z.string()).nullish(),
    managedFields: z.array(z.object({ time: z.string().nullish() })).nullish(),
  }),
  spec: z
    .object({ image: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
  status: z
    .object({ url: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** One page of a list. */
export const resourceListSchema = z.object({
  metadata: z.object({ resourceVersion: z.string(), continue: z.string().optional() }),
  items: z.array(customResourceSchema).nullish(),
});

/** A line of a watch. */
export const watchEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['ADDED', 'MODIFIED', 'DELETED']), object: customResourceSchema }),
  z.object({
    type: z.literal('BOOKMARK'),
    object: z.object({ metadata: z.object({ resourceVersion: z.string() }) }),
  }),
  z.object({
    type: z.literal('ERROR'),
    object: z.object({ code: z.number().optional(), message: z.string().optional() }),
  }),
]);

/** What discovery says of one version of a group. */
export const groupVersionSchema = z.object({
  resources: z.array(z.object({ name: z.string(), kind: z.string() })),
});

export type CustomResource = z.infer<typeof customResourceSchema>;
export type WatchEvent = z.infer<typeof watchEventSchema>;

/** `namespace/name`: what a resource is called in rejections. */
export function nameResource({ metadata: { namespace, name } }: CustomResource): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
