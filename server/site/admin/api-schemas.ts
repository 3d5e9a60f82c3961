import { z } from 'zod';
import { OFFICIAL_META, ORIGIN_META } from '../../../sources/model/meta-keys.ts';
import { ROLES } from '../../auth/identity.ts';

/** What the pages show of the API's answers, and no more. */
const claims = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
const status = z.enum(['active', 'deprecated', 'deleted']);
const metadata = z.object({ nextCursor: z.string().optional() });
const time = z.iso.datetime();
const settings = z.record(z.string(), z.unknown());

export const sourceSchema = z.object({
  name: z.string(),
  type: z.enum(['file', 'git', 'api', 'kubernetes', 'managed']),
  creationType: z.enum(['CONFIG', 'API']),
  file: settings.optional(),
  git: settings.optional(),
  api: settings.optional(),
  kubernetes: settings.optional(),
  syncPolicy: z.object({ interval: z.string() }).optional(),
  claims,
  status: z.object({
    phase: z.enum(['pending', 'syncing', 'complete', 'failed']),
    lastSyncTime: time.nullable(),
    lastAttemptTime: time.nullable(),
    attempts: z.int(),
    message: z.string(),
    servers: z.int(),
    skills: z.int(),
    rejected: z.array(z.object({ file: z.string(), line: z.int(), reason: z.string() })),
    bundle: z.object({ hash: z.string(), origin: z.looseObject({ kind: z.string() }) }).optional(),
  }),
});
export const sourcesSchema = z.object({ sources: z.array(sourceSchema), metadata });
export type SourceReport = z.infer<typeof sourceSchema>;

export const registrySchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  creationType: z.enum(['CONFIG', 'API']),
  sources: z.array(z.string()),
  claims,
});
export const registriesSchema = z.object({ registries: z.array(registrySchema), metadata });
export type RegistryReport = z.infer<typeof registrySchema>;

export const bundlesSchema = z.object({
  bundles: z.array(
    z.object({
      hash: z.string(),
      current: z.boolean(),
      builtAt: z.string(),
      origin: z.looseObject({ kind: z.string() }),
      servers: z.int(),
      skills: z.int(),
      rejected: z.int(),
    }),
  ),
});
export type BundleReport = z.infer<typeof bundlesSchema>['bundles'][number];

export const rawEntriesSchema = z.object({
  entries: z.array(
    z.object({
      type: z.enum(['server', 'skill']),
      name: z.string(),
      source: z.string().optional(),
      claims,
      versions: z.array(z.object({ version: z.string(), status, title: z.string().optional() })),
    }),
  ),
  metadata,
});
export type RawEntryReport = z.infer<typeof rawEntriesSchema>['entries'][number];

const itemMeta = z.looseObject({
  [OFFICIAL_META]: z.object({
    status,
    statusMessage: z.string().optional(),
    publishedAt: time,
    updatedAt: time,
    isLatest: z.boolean(),
  }),
  [ORIGIN_META]: z.looseObject({ source: z.string() }),
});
const titled = z.object({ title: z.string().optional(), description: z.string().optional() });

/** A version of a server, or of a skill, whose members are those of the item itself. */
export const versionSchema = z
  .union([
    z.object({ server: titled, _meta: itemMeta }),
    titled.extend({ _meta: itemMeta }).transform(({ _meta, ...server }) => ({ server, _meta })),
  ])
  .transform(({ server, _meta }) => ({ body: server, _meta }));
export const claimsEnvelopeSchema = z.object({ claims });

const check = {
  ok: z.boolean(),
  unlabeled: z.boolean(),
  bypassed: z.boolean(),
  keys: z.array(
    z.object({ key: z.string(), wanted: z.array(z.string()), held: z.array(z.string()), ok: z.boolean() }),
  ),
};
export const explanationSchema = z.object({
  registry: z.string(),
  entry: z.string(),
  visible: z.boolean(),
  decidedBy: z.string(),
  servedFrom: z.string().optional(),
  copies: z.array(z.object({ source: z.string(), visible: z.boolean(), decidedBy: z.string() })),
  steps: z.array(
    z.discriminatedUnion('step', [
      z.object({ step: z.literal('roles'), roles: z.array(z.enum(ROLES)), superAdmin: z.boolean() }),
      z.object({ step: z.literal('registry gate'), registry: z.string(), ...check }),
      z.object({ step: z.literal('entry claims'), source: z.string(), ...check }),
      z.object({ step: z.literal('shadowing'), winner: z.string(), shadowed: z.array(z.string()) }),
    ]),
  ),
});
export type ExplanationReport = z.infer<typeof explanationSchema>;
