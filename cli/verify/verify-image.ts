import { BerthError } from '../../sources/errors.ts';
import { createGuardedFetch } from '../../sources/net/guarded-fetch.ts';
import type { ImageInfo } from '../engine/engine.ts';
import type { Plan, Provenance } from '../run/plan.ts';
import { parseImageReference } from './image-reference.ts';
import type { RegistryLogin } from './oci-registry.ts';
import type { TrustRootDeps } from './trust-root.ts';

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 10_000_000;

export interface VerifyDeps extends TrustRootDeps {
  /** What the user logs in with at the registry of the image; undefined for nothing. */
  readonly credentials: () => Promise<RegistryLogin | undefined>;
  /** PEM of `--berth-ca-bundle`. */
  readonly ca?: string | undefined;
}

/**
 * Why nothing about the image could verify it (contract 7), which is known before it is there; undefined when it can be
 * looked into.
 */
export function findPlanProblem({ server, provenance }: Plan): string | undefined {
  if (server.kind === 'remote') return undefined;
  if (server.kind !== 'image') return 'what is built here has no provenance';
  if (provenance === undefined) return 'no registry entry says who built it (no provenance)';
  const { signerIdentity, repositoryUri } = provenance;
  if (signerIdentity === undefined && repositoryUri === undefined) {
    return 'its provenance names neither a signer nor a repository';
  }
  if (signerIdentity?.startsWith('/') && repositoryUri === undefined) {
    return 'its provenance names a workflow, but not of which repository';
  }
  return undefined;
}

/**
 * Deals with an image that is not verified as `--image-verification` says: `enabled` refuses, `warn` says so in one
 * line, `disabled` is silent.
 * @throws BerthError `image_unverified`
 */
export function reportProblem(plan: Plan, problem: string, warn: (line: string) => void): void {
  if (plan.imageVerification === 'disabled') return;
  const what = nameServer(plan);
  if (plan.imageVerification === 'warn') {
    warn(`${what} is not verified: ${problem.replaceAll(/\s+/g, ' ')}.`);
    return;
  }
  throw new BerthError('image_unverified', `${what} is refused, because it is not verified: ${problem}.`, {
    at: { flag: '--image-verification' },
    fix: 'Run an image whose registry entry has provenance, or use --image-verification=warn.',
  });
}

/**
 * Looks whether the image that is about to run was signed by whom the registry entry says, on the digest the engine
 * resolved (contract 7).
 * @param image as the engine has it; exactly this one must run afterwards
 * @returns what is wrong; undefined when it is verified
 */
export async function verifyImage(
  { server, provenance }: Plan,
  image: ImageInfo,
  deps: VerifyDeps,
): Promise<string | undefined> {
  if (server.kind !== 'image' || provenance === undefined) return 'nothing says who built it';
  const reference = parseImageReference(server.image);
  const known = image.digests
    .map((name) => ({ ...parseImageReference(name), digest: name.slice(name.indexOf('@') + 1) }))
    .filter(({ host, repository }) => host === reference.host && repository === reference.repository)
    .map(({ digest }) => digest);
  const asked = /@(sha256:[0-9a-f]{64})$/.exec(server.image)?.[1];
  const digests = asked === undefined ? known : known.filter((digest) => digest === asked);
  if (digests.length === 0) return 'it did not come from its registry, so that nothing tells its digest';
  try {
    let problem: string | undefined;
    // One image may have been pulled under several digests: that of a list, and its own.
    for (const digest of digests) {
      const found = await checkSignatures(digest, provenance, reference, deps);
      if (found === undefined) return undefined;
      problem ??= found;
    }
    return problem;
  } catch (error) {
    if (error instanceof BerthError) return `its signatures cannot be checked (${error.describe()})`;
    throw error;
  }
}

function nameServer({ server }: Plan): string {
  if (server.kind === 'image') return server.image;
  return server.kind === 'protocol' ? `${server.scheme}://${server.package}` : server.url;
}

async function checkSignatures(
  digest: string,
  provenance: Provenance,
  reference: ReturnType<typeof parseImageReference>,
  deps: VerifyDeps,
): Promise<string | undefined> {
  const [{ findSignatures }, { openOciRegistry }, { loadTrustRoot }, { checkSignature }] = await Promise.all([
    import('./find-signatures.ts'),
    import('./oci-registry.ts'),
    import('./trust-root.ts'),
    import('./check-signature.ts'),
  ]);
  const fetch = createGuardedFetch({
    allowPrivate: true,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    ...(deps.ca === undefined ? {} : { ca: deps.ca }),
  });
  const registry = openOciRegistry(reference, fetch, await deps.credentials());
  const signatures = await findSignatures(registry, digest);
  if (signatures.length === 0) return 'it is not signed';
  const root = await loadTrustRoot(provenance.sigstoreUrl, deps);
  const faults = signatures.map((signature) => checkSignature(signature, digest, provenance, root));
  return faults.includes(undefined) ? undefined : faults[0];
}
