import { z } from 'zod';
import { profileSchema } from '../isolation/profile.ts';

/** The version of what `export` writes and `--from-config` reads. */
export const PLAN_SCHEMA_VERSION = '1';

/** contract 3: other input is an error, never rewritten. */
export const WORKLOAD_NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$/;

export const TRANSPORTS = ['stdio', 'sse', 'streamable-http'] as const;
export type Transport = (typeof TRANSPORTS)[number];

const port = z.int().min(1).max(65_535);
const variableName = z.string().regex(/^[^=\0]+$/);
const httpUrl = z.url({ protocol: /^https?$/ });
/** The name of a secret in the store; never its value. */
const secretName = z.string().min(1);
/** Milliseconds. */
const milliseconds = z.int().nonnegative();

const imageServer = z.strictObject({
  kind: z.literal('image'),
  /** As given: name, tag or digest. */
  image: z.string().min(1),
});

const protocolServer = z.strictObject({
  kind: z.literal('protocol'),
  scheme: z.enum(['npx', 'uvx', 'go']),
  /** Package with its version as given (`name@1.2.3`), or for a local Go path the absolute directory. */
  package: z.string().min(1),
  /** True for `go://./path` and `go://../path`. */
  local: z.boolean().default(false),
  runtimeImage: z.string().optional(),
  addPackages: z.array(z.string()).default([]),
  /** Absolute path of a PEM file for the build. */
  caCert: z.string().optional(),
  /** Arguments of the entry for the runtime (npx, uvx) itself rather than for the server. */
  runtimeArguments: z.array(z.string()).default([]),
});

const remoteServer = z.strictObject({
  kind: z.literal('remote'),
  /** With path and query exactly as given. */
  url: httpUrl,
});

const originSchema = z.strictObject({
  /** URL or file of the registry, or `sample`. */
  registry: z.string(),
  name: z.string(),
  version: z.string(),
});

/** What the registry entry says about who built the image (contract 7). */
export const provenanceSchema = z.strictObject({
  sigstoreUrl: z.string().optional(),
  repositoryUri: z.string().optional(),
  repositoryRef: z.string().optional(),
  signerIdentity: z.string().optional(),
  runnerEnvironment: z.string().optional(),
  certIssuer: z.string().optional(),
  attestation: z
    .strictObject({ predicateType: z.string().optional(), predicate: z.unknown().optional() })
    .optional(),
});
export type Provenance = z.infer<typeof provenanceSchema>;

const proxySchema = z.strictObject({
  /** How a stdio server is served. */
  mode: z.enum(['streamable-http', 'sse']).default('streamable-http'),
  host: z.string().default('127.0.0.1'),
  /** Absent: any free port, chosen when it is first bound and then kept. */
  port: port.optional(),
  endpointPrefix: z.string().startsWith('/').optional(),
  stateless: z.boolean().default(false),
  sessionTtlMs: milliseconds.default(7_200_000),
  requestTimeoutMs: milliseconds.default(60_000),
  /** Absent: the loopback origins of the port on loopback binds, otherwise every origin with a warning. */
  allowedOrigins: z.array(z.string()).optional(),
  trustProxyHeaders: z.boolean().default(false),
});

const toolsSchema = z.strictObject({
  /** Names as the client sees them; absent: every tool. */
  allow: z.array(z.string()).optional(),
  /** By the name the server gives. */
  override: z
    .record(z.string(), z.strictObject({ name: z.string().optional(), description: z.string().optional() }))
    .optional(),
});

const oidcSchema = z.strictObject({
  issuer: z.string().optional(),
  audience: z.string().optional(),
  clientId: z.string().optional(),
  clientSecret: secretName.optional(),
  jwksUrl: z.string().optional(),
  introspectionUrl: z.string().optional(),
  scopes: z.array(z.string()).default(['openid']),
  insecureAllowHttp: z.boolean().default(false),
  allowPrivateIp: z.boolean().default(false),
  authTokenFile: z.string().optional(),
  resourceUrl: z.string().optional(),
});

const tokenExchangeSchema = z.strictObject({
  url: httpUrl,
  audience: z.string().optional(),
  clientId: z.string().optional(),
  clientSecret: secretName.optional(),
  /** Absent: replaces `Authorization`. */
  headerName: z.string().optional(),
  scopes: z.array(z.string()).default([]),
  subjectTokenType: z.enum(['access_token', 'id_token']).default('access_token'),
});

const remoteAuthSchema = z.strictObject({
  /** `--remote-auth`, or any flag of specification 5.2 that needs it. */
  enabled: z.boolean().default(false),
  issuer: z.string().optional(),
  authorizeUrl: z.string().optional(),
  tokenUrl: z.string().optional(),
  clientId: z.string().optional(),
  clientSecret: secretName.optional(),
  /** A static bearer token, which takes the place of OAuth. */
  bearerToken: secretName.optional(),
  scopes: z.array(z.string()).optional(),
  scopeParamName: z.string().optional(),
  resource: z.string().optional(),
  callbackPort: port.default(8666),
  skipBrowser: z.boolean().default(false),
  timeoutMs: milliseconds.default(30_000),
});

const forwardHeadersSchema = z.strictObject({
  plain: z.record(z.string(), z.string()).default({}),
  /** Header name to the name of a secret. */
  secret: z.record(z.string(), secretName).default({}),
});

const telemetrySchema = z.strictObject({
  endpoint: z.string().optional(),
  insecure: z.boolean().default(false),
  /** Header name to the name of the secret that holds its value: these are mostly keys. */
  headers: z.record(z.string(), secretName).default({}),
  serviceName: z.string().optional(),
  attributes: z.record(z.string(), z.string()).default({}),
  envVars: z.array(z.string()).default([]),
  samplingRate: z.number().min(0).max(1).default(0.1),
  tracing: z.boolean().default(true),
  metrics: z.boolean().default(true),
  prometheusPath: z.boolean().default(false),
  legacyAttributes: z.boolean().default(true),
});

/**
 * Everything `berth run` decided about a workload, and nothing else: flags, registry entry, environment and exported
 * file all end here, `export` writes it and `--from-config` reads it. Holds names of secrets, never their values.
 * Nothing reads flags later.
 */
export const planSchema = z.strictObject({
  schemaVersion: z.literal(PLAN_SCHEMA_VERSION),
  name: z.string().regex(WORKLOAD_NAME),
  group: z.string().min(1).default('default'),
  server: z.discriminatedUnion('kind', [imageServer, protocolServer, remoteServer]),
  /** Where the entry came from, for workloads run by registry name. */
  origin: originSchema.optional(),
  provenance: provenanceSchema.optional(),
  imageVerification: z.enum(['warn', 'enabled', 'disabled']).default('warn'),
  /** Arguments of the server: the command of the container. */
  args: z.array(z.string()).default([]),
  transport: z.enum(TRANSPORTS),
  /** Where an HTTP server of a container listens. */
  target: z.strictObject({
    host: z.string().default('127.0.0.1'),
    port: port.optional(),
    path: z.string().optional(),
  }),
  proxy: proxySchema,
  network: z.strictObject({
    /** Absent: the bridge network of the engine. */
    mode: z.string().optional(),
    isolate: z.boolean().default(true),
    allowDockerGateway: z.boolean().default(false),
    /** `host` absent: any free port. */
    publish: z.array(z.strictObject({ host: port.optional(), container: port })).default([]),
  }),
  profile: profileSchema,
  volumes: z
    .array(
      z.strictObject({
        source: z.string(),
        target: z.string().startsWith('/'),
        readOnly: z.boolean().default(false),
      }),
    )
    .default([]),
  ignore: z.strictObject({ globally: z.boolean().default(true), printOverlays: z.boolean().default(false) }),
  env: z.record(variableName, z.string()).default({}),
  /** Environment variable to the name of the secret whose value it gets. */
  secrets: z.record(variableName, secretName).default({}),
  labels: z.record(z.string(), z.string()).default({}),
  limits: z.strictObject({
    memoryBytes: z.int().positive().optional(),
    cpus: z.number().positive().optional(),
    pids: z.int().positive().default(512),
    readOnlyRoot: z.boolean().default(false),
  }),
  tools: toolsSchema.default({}),
  /** Absolute path of a PEM file for requests of our own (JWKS, discovery, registry, webhooks, token exchange). */
  caBundle: z.string().optional(),
  oidc: oidcSchema.optional(),
  /** Content of the file, checked by cli/policy when the workload starts. */
  authz: z.unknown().optional(),
  audit: z.unknown().optional(),
  webhooks: z.unknown().optional(),
  tokenExchange: tokenExchangeSchema.optional(),
  remoteAuth: remoteAuthSchema.optional(),
  forwardHeaders: forwardHeadersSchema.optional(),
  telemetry: telemetrySchema.optional(),
  debug: z.boolean().default(false),
});

export type Plan = z.infer<typeof planSchema>;
export type PlanInput = z.input<typeof planSchema>;
export type ImageServer = z.infer<typeof imageServer>;
export type ProtocolServer = z.infer<typeof protocolServer>;
export type RemoteServer = z.infer<typeof remoteServer>;
export type OidcPlan = z.infer<typeof oidcSchema>;
export type TokenExchangePlan = z.infer<typeof tokenExchangeSchema>;
export type RemoteAuthPlan = z.infer<typeof remoteAuthSchema>;
export type ForwardHeadersPlan = z.infer<typeof forwardHeadersSchema>;
export type TelemetryPlan = z.infer<typeof telemetrySchema>;
export type ToolsPlan = z.infer<typeof toolsSchema>;
