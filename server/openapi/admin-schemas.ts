import { z } from 'zod';
import { bundleRecordSchema } from '../../sources/bundle/manifest.ts';
import {
  apiSchema,
  fileSchema,
  filterSchema,
  gitSchema,
  kubernetesSchema,
  registrySchema,
  sourceSchema,
} from '../../sources/config/schema.ts';
import { claimsSchema } from '../../sources/model/claims.ts';
import { serverJsonSchema } from '../../sources/model/server-json.ts';
import { skillSchema } from '../../sources/model/skill.ts';
import { ROLES } from '../auth/identity.ts';
import { digest, listMetadataSchema, serverItemSchema, skillItemSchema, time } from './answer-schemas.ts';

const creationType = z.enum(['CONFIG', 'API']).describe('CONFIG is changed in the configuration file only.');
const entryType = z.enum(['server', 'skill']);
const status = z.enum(['active', 'deprecated', 'deleted']);

export const meSchema = z.object({ subject: z.string(), roles: z.array(z.enum(ROLES)) });

/** What is sent to make a source; its name is the path's and may be repeated. */
export const sourceBodySchema = sourceSchema.partial({ name: true });
export const registryBodySchema = registrySchema.partial({ name: true });

export const sourceStatusSchema = z.object({
  phase: z.enum(['pending', 'syncing', 'complete', 'failed']),
  lastSyncTime: time.nullable(),
  lastAttemptTime: time.nullable(),
  attempts: z.int().min(0).describe('Failures in a row.'),
  message: z.string(),
  servers: z.int().min(0),
  skills: z.int().min(0),
  rejected: z
    .array(z.object({ file: z.string(), line: z.int().min(0), reason: z.string() }))
    .max(50)
    .describe('Entries that were left out; the first 50.'),
  bundle: z.object({ hash: digest, origin: bundleRecordSchema.shape.origin }).optional(),
});

/** S of contract 6: the block of its kind, without secrets. */
export const sourceReportSchema = z.object({
  name: z.string().min(1),
  type: z.enum(['file', 'git', 'api', 'kubernetes', 'managed']),
  creationType,
  file: fileSchema.optional(),
  git: gitSchema.omit({ auth: true }).optional(),
  api: apiSchema.omit({ auth: true }).optional(),
  kubernetes: kubernetesSchema.omit({ kubeconfig: true }).optional(),
  managed: z.strictObject({}).optional(),
  filter: filterSchema.optional(),
  syncPolicy: sourceSchema.shape.syncPolicy,
  claims: claimsSchema,
  status: sourceStatusSchema,
  createdAt: time,
  updatedAt: time,
});
export const sourceListSchema = z.object({
  sources: z.array(sourceReportSchema),
  metadata: listMetadataSchema,
});

export const registryReportSchema = z.object({
  name: z.string().min(1),
  description: z.string().optional(),
  creationType,
  sources: z.array(z.string()),
  claims: claimsSchema,
  createdAt: time,
  updatedAt: time,
});
export const registryListSchema = z.object({
  registries: z.array(registryReportSchema),
  metadata: listMetadataSchema,
});

export const rawEntrySchema = z.object({
  type: entryType,
  name: z.string().min(1),
  source: z.string().optional().describe('Only in the list of a registry.'),
  position: z.int().min(0).optional().describe("The source's place in the registry."),
  claims: claimsSchema,
  versions: z.array(
    z.object({
      version: z.string().min(1),
      status,
      title: z.string().optional(),
      description: z.string().optional(),
      createdAt: time,
      updatedAt: time,
    }),
  ),
});
export const rawEntryListSchema = z.object({
  entries: z.array(rawEntrySchema),
  metadata: listMetadataSchema,
});

export const bundleSchema = bundleRecordSchema.extend({ hash: digest, current: z.boolean() });
export const bundleListSchema = z.object({ bundles: z.array(bundleSchema) });
export const rollbackBodySchema = z.strictObject({
  hash: z.string().min(4).describe('The start of a bundle hash, at least 4 digits.'),
});

export const publishBodySchema = z.union([
  z.strictObject({ server: serverJsonSchema, claims: claimsSchema.optional() }),
  z.strictObject({ skill: skillSchema, claims: claimsSchema.optional() }),
]);
export const publishedSchema = z.union([serverJsonSchema, skillSchema]);
export const entryVersionSchema = z.union([serverItemSchema, skillItemSchema]);
export const statusBodySchema = z.strictObject({
  status,
  statusMessage: z.string().max(500).optional().describe('Why; not with `active`.'),
});
export const claimsEnvelopeSchema = z.strictObject({ claims: claimsSchema });

const claimsCheck = {
  ok: z.boolean(),
  unlabeled: z.boolean(),
  bypassed: z.boolean(),
  keys: z.array(
    z.object({ key: z.string(), wanted: z.array(z.string()), held: z.array(z.string()), ok: z.boolean() }),
  ),
};

/** The answer of `berth explain`. */
export const explanationSchema = z.object({
  registry: z.string(),
  entry: z.string(),
  visible: z.boolean(),
  decidedBy: z.string().describe('The step that decided, such as `registry gate` or `shadowed by NAME`.'),
  servedFrom: z.string().optional(),
  copies: z.array(z.object({ source: z.string(), visible: z.boolean(), decidedBy: z.string() })),
  steps: z.array(
    z.union([
      z.object({ step: z.literal('roles'), roles: z.array(z.enum(ROLES)), superAdmin: z.boolean() }),
      z.object({ step: z.literal('registry gate'), registry: z.string(), ...claimsCheck }),
      z.object({ step: z.literal('entry claims'), source: z.string(), ...claimsCheck }),
      z.object({ step: z.literal('shadowing'), winner: z.string(), shadowed: z.array(z.string()) }),
    ]),
  ),
  text: z.array(z.string()).describe('The same as lines for a terminal.'),
});
