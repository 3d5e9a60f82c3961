// Longer than a file should be: it is the whole configuration in one place, every key with what it means, and the
// reference on the site is written from it.
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
  include: z
    .array(z.string())
    .optional()
    .describe('Only what matches one of these is taken. Left out: everything.'),
  exclude: z
    .array(z.string())
    .optional()
    .describe('What matches one of these is left out, even when it is included.'),
});

export const filterSchema = z.strictObject({
  names: globs.optional().describe('By name: globs, in which * also crosses a slash.'),
  tags: globs.optional().describe('By tag, compared exactly.'),
});

export const fileSchema = z.strictObject({
  path: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A file, a directory or a glob, relative to the configuration file. It is watched: a change is live within a second.',
    ),
  url: httpUrl.optional().describe('Where a catalog is downloaded from: https, or http to loopback.'),
  data: z
    .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .optional()
    .describe('A catalog written into the configuration itself.'),
  timeout: duration.optional().describe('How long a download may take, with url only. Left out: 30s.'),
  insecure: z.boolean().optional().describe('Allows plain http for url, whatever the host.'),
});

export const gitSchema = z.strictObject({
  repository: z
    .string()
    .min(1)
    .describe('The repository: an https or ssh URL, git@host:path, or a local path.'),
  branch: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The branch to follow. Left out, without tag and commit: the default branch of the repository.',
    ),
  tag: z.string().min(1).optional().describe('The tag to read.'),
  commit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/, 'must be a commit hash')
    .optional()
    .describe('The commit to read: 7 to 64 hexadecimal digits.'),
  path: z
    .string()
    .min(1)
    .default('registry.json')
    .describe('The file or directory inside the repository that holds the catalog.'),
  auth: z
    .strictObject({
      username: z.string().min(1).optional().describe('The user name for https, together with passwordFile.'),
      passwordFile: z
        .string()
        .min(1)
        .optional()
        .describe('A file with the password or access token for https.'),
      sshKeyFile: z.string().min(1).optional().describe('A file with the private key for ssh.'),
    })
    .optional()
    .describe('How to sign in. Left out: nothing is sent.'),
});

export const apiSchema = z.strictObject({
  endpoint: httpUrl.describe(
    'The base URL of a registry of the v0.1 API, below which it answers /v0.1/servers.',
  ),
  timeout: duration.optional().describe('How long one request may take, at most 5m. Left out: 10s.'),
  incremental: z.boolean().default(true).describe('Whether later runs ask only for what was updated since.'),
  auth: z
    .strictObject({
      tokenFile: z.string().min(1).optional().describe('A file with a bearer token.'),
      clientCredentials: z
        .strictObject({
          tokenUrl: httpUrl.describe('The token endpoint of the authorization server.'),
          clientId: z.string().min(1).describe('The client id there.'),
          clientSecretFile: z.string().min(1).describe('A file with the secret of the client.'),
          scope: z.string().optional().describe('The scope to ask for, separated by blanks.'),
        })
        .optional()
        .describe('A client of an OAuth authorization server, which gives the token.'),
    })
    .optional()
    .describe('How to sign in: a token or client credentials. Left out: nothing is sent.'),
});

export const kubernetesSchema = z.strictObject({
  namespaces: z
    .array(z.string().min(1))
    .default([])
    .describe('The namespaces to watch. An empty list watches all.'),
  kubeconfig: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A kubeconfig file, relative to the configuration file. Left out: the service account of the pod.',
    ),
  resources: z
    .array(
      z.strictObject({
        group: z.string().min(1).describe('The API group, such as toolhive.stacklok.dev.'),
        version: z.string().min(1).describe('The version of the group, such as v1alpha1.'),
        plural: z.string().min(1).describe('The plural name of the resource, such as mcpservers.'),
      }),
    )
    .optional()
    .describe(
      'The custom resources to watch. Left out: MCPServer, MCPRemoteProxy and VirtualMCPServer of toolhive.stacklok.dev.',
    ),
  annotationPrefix: z
    .string()
    .min(1)
    .optional()
    .describe(
      'What stands before the slash of the annotations that are read. Left out: toolhive.stacklok.dev.',
    ),
});

export const sourceSchema = z.strictObject({
  name: name.describe(
    'The name of the source, unique among sources: a DNS label of lower-case letters, digits and hyphens.',
  ),
  file: fileSchema
    .optional()
    .describe('The source is a file, a directory, a download or data in the configuration.'),
  git: gitSchema.optional().describe('The source is a git repository.'),
  api: apiSchema.optional().describe('The source is another registry of the v0.1 API.'),
  kubernetes: kubernetesSchema.optional().describe('The source is what runs in a Kubernetes cluster.'),
  managed: z
    .strictObject({})
    .optional()
    .describe('The source holds what is published through the API: managed: {}.'),
  syncPolicy: z
    .strictObject({ interval: duration.describe('How long after a fetch the next one begins, at least 1s.') })
    .optional()
    .describe('When the source is fetched anew. Required for file, git and api.'),
  filter: filterSchema.optional().describe('Which entries are taken. Left out: all.'),
  claims: claimsSchema
    .optional()
    .describe(
      'Who may administer the source. Entries of file, git and api sources inherit these claims and show only to callers who satisfy them.',
    ),
  allowEmpty: z
    .boolean()
    .optional()
    .describe(
      'Whether a catalog without any valid entry replaces one that had some. Without it the earlier catalog stays.',
    ),
});

export const registrySchema = z.strictObject({
  name: name.describe(
    'The name in /registry/NAME, unique among registries: a DNS label of lower-case letters, digits and hyphens.',
  ),
  sources: z
    .array(z.string().min(1))
    .min(1, 'needs at least one source')
    .describe(
      'The names of its sources. When two have an entry of the same name, the first one listed wins.',
    ),
  claims: claimsSchema
    .optional()
    .describe('The gate: a caller who does not satisfy these claims gets 403 on every path of the registry.'),
  description: z.string().optional().describe('A sentence for people, shown where registries are listed.'),
});

export const providerSchema = z.strictObject({
  name: z.string().min(1).describe('A name for logs and the configuration.'),
  issuerUrl: httpUrl.describe(
    'The issuer, byte for byte as in the iss of its tokens: https, or http to loopback.',
  ),
  audience: z.string().min(1).describe('What the aud of a token must contain.'),
  jwksUrl: httpUrl
    .optional()
    .describe('Where the keys are. Left out: as the discovery document of the issuer says.'),
  introspectionUrl: httpUrl
    .optional()
    .describe('Where tokens that are no JWT of a known key are asked about (RFC 7662).'),
  clientId: z.string().min(1).optional().describe('The client that asks the introspection endpoint.'),
  clientSecretFile: z.string().min(1).optional().describe('A file with the secret of that client.'),
  caCertPath: z
    .string()
    .min(1)
    .optional()
    .describe('A PEM file of certificate authorities to trust for this provider.'),
  authTokenFile: z
    .string()
    .min(1)
    .optional()
    .describe('A file with a bearer token sent when keys and metadata are fetched.'),
  allowPrivateIP: z.boolean().default(false).describe('Whether the provider may have a private address.'),
  insecureAllowHttp: z
    .boolean()
    .default(false)
    .describe('Allows plain http for a provider that is not on loopback. For tests only.'),
});

const roleRules = z.array(claimsSchema);
export const rolesSchema = z.strictObject({
  superAdmin: roleRules
    .optional()
    .describe('Sees and changes everything, and may ask why somebody sees an entry.'),
  manageSources: roleRules
    .optional()
    .describe('May make, change, delete and synchronise sources within their claims.'),
  manageRegistries: roleRules
    .optional()
    .describe('May make, change and delete registries within their claims.'),
  manageEntries: roleRules
    .optional()
    .describe('May publish, change and delete entries of managed sources within their claims.'),
});

export const authSchema = z.strictObject({
  mode: z
    .enum(['oauth', 'anonymous'])
    .default('oauth')
    .describe('oauth checks a token of every request; anonymous checks nothing, for trying things out.'),
  publicPaths: z
    .array(z.string().startsWith('/'))
    .default([])
    .describe(
      'Paths that need no token, each with everything below it. /openapi.json and /.well-known never need one.',
    ),
  oauth: z
    .strictObject({
      resourceUrl: httpUrl.describe(
        'The public URL of this registry, which clients find in its metadata (RFC 9728).',
      ),
      realm: z.string().min(1).default('mcp-registry').describe('The realm named in WWW-Authenticate.'),
      publicPaths: z
        .array(z.string().startsWith('/'))
        .default([])
        .describe('The same as auth.publicPaths; both lists count.'),
      providers: z
        .array(providerSchema)
        .min(1, 'needs at least one identity provider')
        .describe('The identity providers, tried in order; the first that accepts a token wins.'),
    })
    .optional()
    .describe('Who issues tokens and for what. Required in mode oauth.'),
  authz: z
    .strictObject({
      roles: rolesSchema
        .default({})
        .describe(
          'Who has which role: a list of rules each. A caller has a role when one rule matches, and a rule matches when all its claims do. A dotted key such as realm_access.roles reaches into nested claims.',
        ),
    })
    .optional()
    .describe('Turns the checks of claims and roles on. Left out: every valid token may read everything.'),
});

export const databaseSchema = z.strictObject({
  url: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The whole connection as postgres://USER:PASSWORD@HOST:5432/DATABASE, instead of the single keys.',
    ),
  host: z.string().min(1).optional().describe('The host name, address or directory of the Unix socket.'),
  port: z.int().min(1).max(65535).optional().describe('The port. Left out: 5432.'),
  user: z.string().min(1).optional().describe('The user of the service.'),
  password: z
    .string()
    .optional()
    .describe('The password. Rather use passwordFile, or BERTH_DATABASE_PASSWORD.'),
  passwordFile: z.string().min(1).optional().describe('A file with the password, read at each connect.'),
  database: z.string().min(1).optional().describe('The database. Left out: one named like the user.'),
  sslMode: z
    .enum(['disable', 'prefer', 'require', 'verify-ca', 'verify-full'])
    .optional()
    .describe(
      "Whether connections are encrypted and certificates checked, as PostgreSQL's own clients mean it. Left out: prefer.",
    ),
  maxOpenConns: z.int().min(1).optional().describe('The most connections of one process. Left out: 10.'),
  maxIdleConns: z.int().min(0).optional().describe('Connections kept open when idle. Left out: 0.'),
  connMaxLifetime: duration.optional().describe('After how long a connection is replaced. Left out: never.'),
  maxMetaSize: z
    .int()
    .min(256)
    .optional()
    .describe('The older place of limits.maxMetaBytes, which wins when both are given.'),
  migrationUser: z.string().min(1).optional().describe('The user that changes tables. Left out: user.'),
  migrationPassword: z.string().optional().describe('The password of migrationUser.'),
});

export const auditSchema = z.strictObject({
  enabled: z.boolean().default(false).describe('Whether the audit log is written.'),
  logFile: z
    .string()
    .min(1)
    .optional()
    .describe('The file it is appended to, relative to the configuration file. Left out: standard output.'),
  eventTypes: z.array(z.string()).optional().describe('Only these types are written. Left out: all.'),
  excludeEventTypes: z
    .array(z.string())
    .optional()
    .describe('Types that are not written, even when eventTypes names them.'),
  includeRequestData: z.boolean().default(false).describe('Whether bodies of requests are written too.'),
  maxDataSize: z
    .int()
    .min(0)
    .max(1_048_576)
    .default(1024)
    .describe('The most bytes of a body that are written.'),
});

export const telemetrySchema = z.strictObject({
  enabled: z.boolean().default(true).describe('Whether traces are sent. Metrics have a switch of their own.'),
  serviceName: z.string().min(1).default('berth').describe('The service name in traces.'),
  serviceVersion: z
    .string()
    .min(1)
    .optional()
    .describe('The service version in traces; that of Berth when absent.'),
  endpoint: z
    .string()
    .min(1)
    .optional()
    .describe('The OTLP endpoint traces are sent to, as host:port or URL. Left out: none are sent.'),
  insecure: z.boolean().default(false).describe('Plain http for an endpoint without a scheme.'),
  tracing: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Whether traces are sent.'),
      sampling: z
        .number()
        .min(0)
        .max(1)
        .default(0.05)
        .describe('The share of requests that are traced, when the caller does not decide it.'),
    })
    .optional()
    .describe('Traces over OTLP, when there is an endpoint.'),
  metrics: z
    .strictObject({ enabled: z.boolean().default(true).describe('Whether /metrics answers.') })
    .optional()
    .describe('The Prometheus metrics of the internal server.'),
});

export const limitsSchema = z.strictObject({
  requestTimeout: duration.default(10_000).describe('How long a request may take before it is answered 504.'),
  maxBodyBytes: z.int().min(1024).default(1_048_576).describe('The largest body of a request, in bytes.'),
  maxMetaBytes: z
    .int()
    .min(256)
    .default(262_144)
    .describe('The largest publisher extension (_meta) of an entry, in bytes.'),
  maxPageSize: z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe('The largest limit a list may be asked with.'),
  rateLimit: z
    .strictObject({
      perMinute: z.int().min(1).describe('Requests a minute on average.'),
      burst: z.int().min(1).optional().describe('Requests at once. Left out: as many as perMinute.'),
    })
    .optional()
    .describe('The most requests of one caller. Left out: no limit.'),
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
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether there are pages for people. The API document stays either way.'),
  title: z.string().min(1).default('Berth').describe('The title of the pages.'),
  baseUrl: httpUrl
    .optional()
    .describe(
      'The public URL of the service, for links and metadata. Left out: auth.oauth.resourceUrl, or the address a request came to.',
    ),
  audience: claimsSchema
    .optional()
    .describe('What a static export of the site may show: what a caller with these claims sees.'),
  signIn: signInSchema.optional().describe('Lets people sign in to the site with an identity provider.'),
});

/** The whole of `registry.config.yaml` (contract 2). Rules that span fields are checked by `check-references.ts`. */
export const configSchema = z.strictObject({
  sources: z.array(sourceSchema).min(1, 'needs at least one source').describe('Where entries come from.'),
  registries: z
    .array(registrySchema)
    .min(1, 'needs at least one registry')
    .describe('What is served below /registry/NAME, each from some of the sources.'),
  auth: authSchema
    .optional()
    .describe(
      'Who may do what. Left out: mode oauth, which then lacks its identity provider and is refused.',
    ),
  database: databaseSchema
    .optional()
    .describe('PostgreSQL for what is published. Left out: an SQLite file in dataDir.'),
  dataDir: z
    .string()
    .min(1)
    .default('.berth')
    .describe(
      'The directory of bundles, git clones and the SQLite file, relative to the configuration file. It is made for its owner only.',
    ),
  hooks: z
    .strictObject({
      secretFile: z
        .string()
        .min(1)
        .describe('A file with the secret that the git server signs deliveries with.'),
    })
    .optional()
    .describe('Turns POST /hooks/git/SOURCE on: a push becomes live at once.'),
  audit: auditSchema.optional().describe('The audit log. Left out: none is written.'),
  telemetry: telemetrySchema
    .optional()
    .describe('Metrics and traces of the service. Left out: metrics only.'),
  limits: limitsSchema.default(() => limitsSchema.parse({})).describe('Limits of requests.'),
  site: siteSchema.default(() => siteSchema.parse({})).describe('The pages for people.'),
  sourcesPolicy: z
    .strictObject({
      allowedPaths: z
        .array(z.string())
        .default([])
        .describe(
          'Directories they may read, relative to the configuration file. An empty list allows none.',
        ),
      allowPrivateIP: z.boolean().default(false).describe('Whether they may reach private addresses.'),
    })
    .default(() => ({ allowedPaths: [], allowPrivateIP: false }))
    .describe('What sources made through the API may reach.'),
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
