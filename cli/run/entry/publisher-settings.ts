import { z } from 'zod';
import { PUBLISHER_META } from '../../../sources/model/meta-keys.ts';
import { isPlainObject, type PlainObject } from '../../../sources/model/plain-object.ts';
import { type Profile, profileSchema } from '../../isolation/profile.ts';
import { withoutAbsent } from '../flags/without-absent.ts';
import type { PlanInput, Provenance } from '../plan.ts';
import type { KeyValue } from './input.ts';

const VENDOR = 'io.github.stacklok';

const portSchema = z.int().min(1).max(65_535).optional().catch(undefined);
const textSchema = z.string().min(1).optional().catch(undefined);
const textsSchema = z.array(z.string()).optional().catch(undefined);

const provenanceBlock = z.object({
  sigstore_url: textSchema,
  repository_uri: textSchema,
  repository_ref: textSchema,
  signer_identity: textSchema,
  runner_environment: textSchema,
  cert_issuer: textSchema,
  attestation: z
    .object({ predicate_type: textSchema, predicate: z.unknown().optional() })
    .optional()
    .catch(undefined),
});

const oauthBlock = z.object({
  issuer: textSchema,
  authorize_url: textSchema,
  token_url: textSchema,
  client_id: textSchema,
  scopes: textsSchema,
  callback_port: portSchema,
  resource: textSchema,
});

/** What a publisher says of a package or remote. A part that has another shape is as good as absent. */
const blockSchema = z.object({
  tools: textsSchema,
  args: textsSchema,
  target_port: portSchema,
  proxy_port: portSchema,
  permissions: z.unknown().optional(),
  provenance: provenanceBlock.optional().catch(undefined),
  oauth_config: oauthBlock.optional().catch(undefined),
  env_vars: z
    .array(
      z.object({
        name: z.string().min(1),
        description: z.string().optional(),
        required: z.boolean().optional(),
        secret: z.boolean().optional(),
        default: z.string().optional(),
      }),
    )
    .optional()
    .catch(undefined),
});

/** Settings of the publisher-provided extension (contract 2 and 8). */
export interface PublisherSettings {
  readonly tools?: readonly string[];
  readonly args?: readonly string[];
  readonly targetPort?: number;
  readonly proxyPort?: number;
  readonly profile?: Profile;
  readonly provenance?: Provenance;
  readonly remoteAuth?: NonNullable<PlanInput['remoteAuth']>;
  readonly env: readonly KeyValue[];
  readonly warnings: readonly string[];
}

/**
 * Reads what the publisher says under `io.github.stacklok` of the first of `keys` there is: image references, package
 * identifiers or URLs. When the block describes one thing only, that is what is meant.
 */
export function readPublisherSettings(meta: PlainObject, keys: readonly string[]): PublisherSettings {
  const publisher = meta[PUBLISHER_META];
  const vendor = isPlainObject(publisher) ? publisher[VENDOR] : undefined;
  if (!isPlainObject(vendor)) return { env: [], warnings: [] };
  const described = keys.map((key) => vendor[key]).find(isPlainObject);
  const blocks = Object.values(vendor).filter(isPlainObject);
  const block = blockSchema.safeParse(described ?? (blocks.length === 1 ? blocks[0] : {}));
  if (!block.success) return { env: [], warnings: [] };
  const { tools, args, target_port, proxy_port, permissions, provenance, oauth_config, env_vars } =
    block.data;
  const { profile, warnings } = readPermissions(permissions);
  return {
    ...withoutAbsent({
      tools,
      args,
      targetPort: target_port,
      proxyPort: proxy_port,
      profile,
      provenance: provenance && toProvenance(provenance),
      remoteAuth: oauth_config && toRemoteAuth(oauth_config),
    }),
    env: (env_vars ?? []).map(({ name, description, required, secret, default: preset }) => ({
      name,
      ...withoutAbsent({ description, isRequired: required, isSecret: secret, default: preset }),
    })),
    warnings,
  };
}

/** What an entry may open: the network. Mounts and privileges of this machine are for its user to give. */
function readPermissions(value: unknown): { profile?: Profile; warnings: string[] } {
  if (!isPlainObject(value)) return { warnings: [] };
  const { read, write, privileged, ...rest } = value;
  const warnings: string[] = [];
  const mounts = [read, write].filter(Array.isArray).flat();
  if (mounts.length > 0) {
    warnings.push(`The entry wants to see ${mounts.join(', ')}; give it by --volume if you agree.`);
  }
  if (privileged === true) {
    warnings.push('The entry wants a privileged container; give it by --permission-profile if you agree.');
  }
  const parsed = profileSchema.safeParse(rest);
  if (parsed.success) return { profile: parsed.data, warnings };
  const fault = parsed.error.issues[0];
  warnings.push(
    `The permissions of the entry cannot be read (${fault?.path.join('.')}: ${fault?.message}); nothing is opened for it.`,
  );
  return { profile: profileSchema.parse({ name: 'none' }), warnings };
}

function toProvenance(block: z.infer<typeof provenanceBlock>): Provenance {
  return withoutAbsent({
    sigstoreUrl: block.sigstore_url,
    repositoryUri: block.repository_uri,
    repositoryRef: block.repository_ref,
    signerIdentity: block.signer_identity,
    runnerEnvironment: block.runner_environment,
    certIssuer: block.cert_issuer,
    attestation: block.attestation && {
      predicate: block.attestation.predicate,
      ...withoutAbsent({ predicateType: block.attestation.predicate_type }),
    },
  });
}

function toRemoteAuth(block: z.infer<typeof oauthBlock>): NonNullable<PlanInput['remoteAuth']> {
  return {
    enabled: true,
    ...withoutAbsent({
      issuer: block.issuer,
      authorizeUrl: block.authorize_url,
      tokenUrl: block.token_url,
      clientId: block.client_id,
      scopes: block.scopes,
      callbackPort: block.callback_port,
      resource: block.resource,
    }),
  };
}
