import { z } from 'zod';
import { argumentSchema, keyValueSchema } from './input-schema.ts';
import { limitedText } from './limited-text.ts';
import { localTransportSchema, remoteTransportSchema } from './transport-schema.ts';
import { versionTextSchema } from './version-text.ts';

/** The dated schema the entries of this registry follow. */
export const SERVER_SCHEMA_URL =
  'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

const NAME = /^[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?\/[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?$/;
const REGISTRY_TYPES = ['npm', 'pypi', 'oci', 'nuget', 'mcpb', 'cargo'] as const;

/** `namespace/name` of a server, 3-200 characters. */
export const serverNameSchema = limitedText(3, 200).regex(
  NAME,
  'must be namespace/name of letters, digits, `.`, `-` (and `_` in the name); both begin and end with a letter or digit',
);

const webUrl = z
  .string()
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), 'must be an http or https URL');
const iconUrl = limitedText(1, 255).refine(
  (text) => /^https:\/\//i.test(text) && URL.canParse(text),
  'must be an https URL',
);

const icon = z.looseObject({
  src: iconUrl,
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp']).optional(),
  sizes: z.array(z.string().regex(/^(?:\d+x\d+|any)$/, 'must be WIDTHxHEIGHT or any')).optional(),
  theme: z.enum(['light', 'dark']).optional(),
});

const repository = z.looseObject({
  url: z
    .string()
    .refine(
      (text) => /^(?:https?|ssh|git):\/\//i.test(text) && URL.canParse(text),
      'must be an http, https, ssh or git URL',
    ),
  source: z.string().min(1, 'must have at least 1 character'),
  id: z.string().optional(),
  subfolder: z.string().optional(),
});

const serverPackage = z
  .looseObject({
    registryType: z.enum(REGISTRY_TYPES),
    registryBaseUrl: webUrl.optional(),
    identifier: z.string().min(1, 'must have at least 1 character'),
    version: versionTextSchema.optional(),
    fileSha256: z
      .string()
      .regex(/^[a-f0-9]{64}$/, 'must be 64 lower-case hex digits')
      .optional(),
    runtimeHint: z.string().optional(),
    transport: localTransportSchema,
    runtimeArguments: z.array(argumentSchema).optional(),
    packageArguments: z.array(argumentSchema).optional(),
    environmentVariables: z.array(keyValueSchema).optional(),
  })
  .refine((pack) => pack.registryType !== 'mcpb' || pack.fileSha256 !== undefined, {
    path: ['fileSha256'],
    error: 'is required for mcpb',
  });

/**
 * A server.json of the 2025-12-11 schema. Loose: members it does not know are kept, so that what was in an entry comes
 * back (contract 5).
 */
export const serverJsonSchema = z.looseObject({
  $schema: z.string().optional(),
  name: serverNameSchema,
  title: limitedText(1, 100).optional(),
  description: limitedText(1, 100),
  version: versionTextSchema,
  websiteUrl: webUrl.optional(),
  repository: repository.optional(),
  icons: z.array(icon).optional(),
  packages: z.array(serverPackage).optional(),
  remotes: z.array(remoteTransportSchema).optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
});

export type ServerJson = z.infer<typeof serverJsonSchema>;
