import { z } from 'zod';
import { OFFICIAL_META, ORIGIN_META } from '../../sources/model/meta-keys.ts';
import { serverJsonSchema } from '../../sources/model/server-json.ts';
import { catalogSkillSchema } from '../../sources/model/skill.ts';

export const time = z.iso.datetime();
export const digest = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .describe('sha256 in hex.');
const status = z.enum(['active', 'deprecated', 'deleted']);

/** Every error (contract 9). */
export const problemSchema = z.object({
  type: z.url().describe('Identifies the kind of problem.'),
  title: z.string().min(1).describe('The status in words.'),
  status: z.int().min(400).max(599),
  detail: z.string().min(1).describe('What is wrong and what to do, for people.'),
  instance: z
    .string()
    .regex(/^urn:request:./)
    .describe('The request id, as in `X-Request-Id`.'),
  code: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/)
    .describe('Stable; switch on this.'),
  error: z.string().min(1).describe('The same text as `detail`.'),
  errors: z
    .array(
      z.object({
        path: z
          .string()
          .describe('The member at fault, such as `packages[0].transport`; empty for all of it.'),
        message: z.string().min(1),
      }),
    )
    .optional()
    .describe('With `schema_invalid`: everything that is wrong with the entry.'),
});

export const officialBlockSchema = z.object({
  status,
  statusMessage: z.string().optional(),
  statusChangedAt: time,
  publishedAt: time,
  updatedAt: time,
  isLatest: z.boolean(),
});

/** The `dev.berth/origin` block (contract 5). */
export const originBlockSchema = z.object({
  source: z.string().min(1),
  kind: z.enum(['file', 'git', 'api', 'kubernetes', 'managed']),
  bundle: digest.optional(),
  commit: z.string().optional(),
  ref: z.string().optional(),
  repository: z.string().optional(),
});

export const itemMetaSchema = z.looseObject({
  [OFFICIAL_META]: officialBlockSchema,
  [ORIGIN_META]: originBlockSchema,
});

export const listMetadataSchema = z.object({
  count: z.int().min(0).describe('Items on this page.'),
  nextCursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .optional()
    .describe('Present when there is another page; carries the filters, so it is enough alone.'),
});

export const serverItemSchema = z.object({ server: serverJsonSchema, _meta: itemMetaSchema });
export const serverListSchema = z.object({
  servers: z.array(serverItemSchema),
  metadata: listMetadataSchema,
});

export const skillItemSchema = catalogSkillSchema.extend({
  status: z.enum(['active', 'deprecated', 'archived', 'deleted']),
  _meta: itemMetaSchema,
});
export const skillListSchema = z.object({ skills: z.array(skillItemSchema), metadata: listMetadataSchema });

/** The Agent Skills discovery index 0.2.0. */
export const discoveryIndexSchema = z.object({
  $schema: z.url(),
  skills: z.array(
    z.object({
      name: z.string().min(1),
      type: z.enum(['skill-md', 'archive']),
      description: z.string(),
      url: z.string().min(1).describe('Relative to the index.'),
      digest,
    }),
  ),
});

export const reachableRegistriesSchema = z.object({
  registries: z.array(
    z.object({
      name: z.string().min(1),
      description: z.string().optional(),
      url: z.url().describe('The base URL to give to clients.'),
    }),
  ),
});

/** RFC 9728. */
export const protectedResourceSchema = z.object({
  resource: z.url(),
  authorization_servers: z.array(z.url()).min(1),
  bearer_methods_supported: z.array(z.enum(['header'])),
  resource_documentation: z.url(),
  scopes_supported: z.array(z.string()),
});

export const hookAnswerSchema = z.object({ status: z.enum(['accepted', 'duplicate']) });
