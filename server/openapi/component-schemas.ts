import { z } from 'zod';
import { duration } from '../../sources/config/duration.ts';
import {
  apiSchema,
  fileSchema,
  filterSchema,
  gitSchema,
  kubernetesSchema,
} from '../../sources/config/schema.ts';
import { claimsSchema } from '../../sources/model/claims.ts';
import { serverJsonSchema } from '../../sources/model/server-json.ts';
import { skillSchema } from '../../sources/model/skill.ts';
import * as admin from './admin-schemas.ts';
import * as answers from './answer-schemas.ts';

/** What the document calls the schemas; those that check requests are the ones the service checks with. */
const SCHEMAS = {
  Problem: answers.problemSchema,
  Claims: claimsSchema,
  Duration: duration,
  ServerJson: serverJsonSchema,
  Skill: skillSchema,
  OfficialBlock: answers.officialBlockSchema,
  OriginBlock: answers.originBlockSchema,
  ItemMeta: answers.itemMetaSchema,
  ListMetadata: answers.listMetadataSchema,
  ServerItem: answers.serverItemSchema,
  ServerList: answers.serverListSchema,
  SkillItem: answers.skillItemSchema,
  SkillList: answers.skillListSchema,
  DiscoveryIndex: answers.discoveryIndexSchema,
  ReachableRegistries: answers.reachableRegistriesSchema,
  ProtectedResource: answers.protectedResourceSchema,
  HookAnswer: answers.hookAnswerSchema,
  Me: admin.meSchema,
  FileSource: fileSchema,
  GitSource: gitSchema,
  ApiSource: apiSchema,
  KubernetesSource: kubernetesSchema,
  Filter: filterSchema,
  SourceBody: admin.sourceBodySchema,
  Source: admin.sourceReportSchema,
  SourceStatus: admin.sourceStatusSchema,
  SourceList: admin.sourceListSchema,
  RegistryBody: admin.registryBodySchema,
  Registry: admin.registryReportSchema,
  RegistryList: admin.registryListSchema,
  RawEntry: admin.rawEntrySchema,
  RawEntryList: admin.rawEntryListSchema,
  Bundle: admin.bundleSchema,
  BundleList: admin.bundleListSchema,
  RollbackBody: admin.rollbackBodySchema,
  PublishBody: admin.publishBodySchema,
  PublishedEntry: admin.publishedSchema,
  EntryVersion: admin.entryVersionSchema,
  StatusBody: admin.statusBodySchema,
  ClaimsEnvelope: admin.claimsEnvelopeSchema,
  Explanation: admin.explanationSchema,
} as const;

export type SchemaName = keyof typeof SCHEMAS;
export type JsonSchema = Record<string, unknown>;

/** The `components.schemas` of the document, as JSON Schema 2020-12. */
export function writeComponentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: refTo,
    override: ({ zodSchema, jsonSchema }) => {
      // The union of the schema is for its message only: numbers are refused.
      if (zodSchema === duration) {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
        Object.assign(jsonSchema, DURATION);
      }
      // The generated expression says what the format says already, in 400 characters.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _address, ...schema }]) => [id, schema]),
  );
}

export function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}

const DURATION = {
  type: 'string',
  description: 'A duration of at least 1s, such as `30s`, `5m` or `1h30m`.',
  examples: ['30m'],
};
