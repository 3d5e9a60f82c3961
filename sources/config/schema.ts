import { z } from 'zod';
import { claimsSchema } from '../model/claims.ts';
import { duration } from './duration.ts';

const name = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be a DNS label: lower-case letters, digits and hyphens, at most 63 characters',
  );
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const globs = z.strictObject({
  include: z.array(z.string()).optional(),
  exclude: z.array(z.string()).optional(),
});

export const filterSchema = z.strictObject({ names: globs.optional(), tags: globs.optional() });

export const fileSchema = z.strictObject({
  path: z.string().min(1).optional(),
  url: httpUrl.optional(),
  data: z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
  timeout: duration.optional(),
  insecure: z.boolean().optional(),
});

export const gitSchema = z.strictObject({
  repository: z.string().min(1),
  branch: z.string().min(1).optional(),
  tag: z.string().min(1).optional(),
  commit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/, 'must be a commit hash')
    .optional(),
  path: z.string().min(1).default('registry.json'),
  auth: z
    .strictObject({
      username: z.string().min(1).optional(),
      passwordFile: z.string().min(1).optional(),
      sshKeyFile: z.string().min(1).optional(),
    })
    .optional(),
});

export const apiSchema = z.strictObject({
  endpoint: httpUrl,
  timeout: duration.optional(),
  incremental: z.boolean().default(true),
  auth: z
    .strictObject({
      tokenFile: z.string().min(1).optional(),
      clientCredentials: z
        .strictObject({
          tokenUrl: httpUrl,
          clientId: z.string().min(1),
          clientSecretFile: z.string().min(1),
          scope: z.string().optional(),
        })
        .optional(),
    })
    .optional(),
});

export const kubernetesSchema = z.strictObject({
  namespaces: z.array(z.string().min(1)).default([]),
  kubeconfig: z.string().min(1).optional(),
  resources: z
    .array(
      z.strictObject({ group: z.string().min(1), version: z.string().min(1), plural: z.string().min(1) }),
    )
    .optional(),
  annotationPrefix: z.string().min(1).optional(),
});

export const sourceSchema = z.strictObject({
  name,
  file: fileSchema.optional(),
  git: gitSchema.optional(),
  api: apiSchema.optional(),
  kubernetes: kubernetesSchema.optional(),
  managed: z.strictObject({}).optional(),
  syncPolicy: z.strictObject({ interval: duration }).optional(),
  filter: filterSchema.optional(),
  claims: claimsSchema.optional(),
  allowEmpty: z.boolean().optional(),
});

export const registrySchema = z.strictObject({
  name,
  sources: z.array(z.string().min(1)).min(1, 'needs at least one source'),
  claims: claimsSchema.optional(),
  description: z.string().optional(),
});

export const providerSchema = z.strictObject({
  name: z.string().min(1),
  issuerUrl: httpUrl,
  audience: z.string().min(1),
  jwksUrl: httpUrl.optional(),
  introspectionUrl: httpUrl.optional(),
  clientId: z.string().min(1).optional(),
  clientSecretFile: z.string().min(1).optional(),
  caCertPath: z.string().min(1).optional(),
  authTokenFile: z.string().min(1).optional(),
  allowPrivateIP: z.boolean().default(false),
  insecureAllowHttp: z.boolean().default(false),
});

const roleRules = z.array(claimsSchema);
export const rolesSchema = z.strictObject({
  superAdmin: roleRules.optional(),
  manageSources: roleRules.optional(),
  manageRegistries: roleRules.optional(),
  manageEntries: roleRules.optional(),
});

export const authSchema = z.strictObject({
  mode: z.enum(['oauth', 'anonymous']).default('oauth'),
  publicPaths: z.array(z.string().startsWith('/')).default([]),
  oauth: z
    .strictObject({
      resourceUrl: httpUrl,
      realm: z.string().min(1).default('mcp-registry'),
      publicPaths: z.array(z.string().startsWith('/')).default([]),
      providers: z.array(providerSchema).min(1, 'needs at least one identity provider'),
    })
    .optional(),
  authz: z.strictObject({ roles: rolesSchema.default({}) }).optional(),
});

export const databaseSchema = z.strictObject({
  url: z.string().min(1).optional(),
  host: z.string().min(1).optional(),
  port: z.int().min(1).max(65535).optional(),
  user: z.string().min(1).optional(),
  password: z.string().optional(),
  passwordFile: z.string().min(1).optional(),
  database: z.string().min(1).optional(),
  sslMode: z.enum(['disable', 'prefer', 'require', 'verify-ca', 'verify-full']).optional(),
  maxOpenConns: z.int().min(1).optional(),
  /** Connections kept open when idle. */
  maxIdleConns: z.int().min(0).optional(),
  /** Milliseconds after which a connection is replaced. */
  connMaxLifetime: duration.optional(),
  /** The older place of `limits.maxMetaBytes`, which wins when both are given. */
  maxMetaSize: z.int().min(256).optional(),
  migrationUser: z.string().min(1).optional(),
  migrationPassword: z.string().optional(),
});

export const auditSchema = z.strictObject({
  enabled: z.boolean().default(false),
  logFile: z.string().min(1).optional(),
  eventTypes: z.array(z.string()).optional(),
  excludeEventTypes: z.array(z.string()).optional(),
  includeRequestData: z.boolean().default(false),
  maxDataSize: z.int().min(0).max(1_048_576).default(1024),
});

export const telemetrySchema = z.strictObject({
  enabled: z.boolean().default(true),
  serviceName: z.string().min(1).default('berth'),
  serviceVersion: z.string().min(1).optional(),
  endpoint: z.string().min(1).optional(),
  insecure: z.boolean().default(false),
  tracing: z
    .strictObject({ enabled: z.boolean().default(true), sampling: z.number().min(0).max(1).default(0.05) })
    .optional(),
  metrics: z.strictObject({ enabled: z.boolean().default(true) }).optional(),
});

export const limitsSchema = z.strictObject({
  requestTimeout: duration.default(10_000),
  maxBodyBytes: z.int().min(1024).default(1_048_576),
  maxMetaBytes: z.int().min(256).default(262_144),
  maxPageSize: z.int().min(1).max(10_000).default(100),
  rateLimit: z.strictObject({ perMinute: z.int().min(1), burst: z.int().min(1).optional() }).optional(),
});

export const signInSchema = z.strictObject({
  provider: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The identity provider people sign in with: a name of auth.oauth.providers. Needed when there are several.',
    ),
  clientId: z
    .string()
    .min(1)
    .optional()
    .describe("The site's client at the provider. Left out: clientId and clientSecretFile of the provider."),
  clientSecretFile: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The secret of clientId, in a file. Left out for a public client, which proves itself by PKCE alone.',
    ),
  scope: z
    .string()
    .min(1)
    .default('openid profile')
    .describe(
      'What is asked for, separated by blanks. Many providers give a refresh token only with offline_access, and Entra ID a token for this registry only with a scope of its API.',
    ),
  resource: z
    .string()
    .regex(/^(none|[A-Za-z][A-Za-z0-9+.-]*:[^\s#]+)$/, 'must be an absolute URI without a fragment, or none')
    .optional()
    .describe(
      'The resource indicator (RFC 8707) access tokens are asked for. Left out: auth.oauth.resourceUrl. none sends none, for providers that refuse it, such as Entra ID.',
    ),
  sessionKeyFile: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A file of at least 32 random bytes, which encrypts the cookies of sessions. Left out: a key that is made once in dataDir. Replicas need the same file.',
    ),
});

export const siteSchema = z.strictObject({
  enabled: z.boolean().default(true),
  title: z.string().min(1).default('Berth'),
  baseUrl: httpUrl.optional(),
  audience: claimsSchema.optional(),
  signIn: signInSchema.optional().describe('Lets people sign in to the site with an identity provider.'),
});

/** The whole of `registry.config.yaml` (contract 2). Rules that span fields are checked by `check-references.ts`. */
export const configSchema = z.strictObject({
  sources: z.array(sourceSchema).min(1, 'needs at least one source'),
  registries: z.array(registrySchema).min(1, 'needs at least one registry'),
  auth: authSchema.optional(),
  database: databaseSchema.optional(),
  dataDir: z.string().min(1).default('.berth'),
  hooks: z.strictObject({ secretFile: z.string().min(1) }).optional(),
  audit: auditSchema.optional(),
  telemetry: telemetrySchema.optional(),
  limits: limitsSchema.default(() => limitsSchema.parse({})),
  site: siteSchema.default(() => siteSchema.parse({})),
  sourcesPolicy: z
    .strictObject({
      allowedPaths: z.array(z.string()).default([]),
      allowPrivateIP: z.boolean().default(false),
    })
    .default(() => ({ allowedPaths: [], allowPrivateIP: false })),
});

export type Config = z.infer<typeof configSchema>;
export type SourceConfig = z.infer<typeof sourceSchema>;
export type RegistryConfig = z.infer<typeof registrySchema>;
export type FileSource = z.infer<typeof fileSchema>;
export type GitSource = z.infer<typeof gitSchema>;
export type ApiSource = z.infer<typeof apiSchema>;
export type Filter = z.infer<typeof filterSchema>;
export type AuthConfig = z.infer<typeof authSchema>;
export type ProviderConfig = z.infer<typeof providerSchema>;
export type SignInConfig = z.infer<typeof signInSchema>;
export type AuditConfig = z.infer<typeof auditSchema>;
export type TelemetryConfig = z.infer<typeof telemetrySchema>;

/** A configuration that was loaded and checked, with the directory its relative paths start from (absolute). */
export interface LoadedConfig {
  readonly config: Config;
  readonly file: string;
  readonly baseDir: string;
  /** `dataDir` as an absolute path. */
  readonly dataDir: string;
}
