import { BerthError } from '../../sources/errors.ts';
import { createGuardedFetch } from '../../sources/net/guarded-fetch.ts';
import type { ImageInfo } from '../engine/engine.ts';
import type { Plan } from '../run/plan.ts';
import { parseImageReference } from './image-reference.ts';
import type { TrustRootDeps } from './trust-root.ts';

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 10_000_000;

export interface VerifyDeps extends TrustRootDeps {
  readonly credentialsFor: (
    host: string,
  ) => Promise<{ readonly username: string; readonly password: string } | undefined>;
  readonly fetch?: typeof globalThis.fetch;
  /** PEM of `--berth-ca-bundle`. */
  readonly ca?: string | Buffer | undefined;
}

/**
 * Verifies the image that is about to run (contract 7): the digest the engine resolved, against the identity of the
 * registry entry. `enabled` refuses what cannot be verified, `warn` answers one line about it, `disabled` does not look.
 * @param image as the engine has it; exactly this one must run afterwards
 * @returns the warning; undefined when the image is verified, or nobody asked
 * @throws BerthError `image_unverified`
 */
export async function verifyImage(
  plan: Plan,
  image: ImageInfo,
  deps: VerifyDeps,
): Promise<string | undefined> {
  if (plan.imageVerification === 'disabled') return undefined;
  const problem = await findProblem(plan, image, deps);
  if (problem === undefined) return undefined;
  const what = plan.server.kind === 'image' ? plan.server.image : 'the image built here';
  if (plan.imageVerification === 'warn') return `${what} is not verified: ${problem}.`;
  throw new BerthError('image_unverified', `${what} is refused: ${problem}.`, {
    at: { flag: '--image-verification' },
    fix: 'Run an image whose registry entry has provenance, or use --image-verification=warn.',
  });
}

async function findProblem(plan: Plan, image: ImageInfo, deps: VerifyDeps): Promise<string | undefined> {
  const { server, provenance } = plan;
  if (server.kind !== 'image') return 'a protocol build has no provenance';
  if (provenance === undefined) return 'no registry entry says who built it (no provenance)';
  if (provenance.signerIdentity === undefined && provenance.repositoryUri === undefined) {
    return 'its provenance names neither a signer nor a repository';
  }
  const reference = parseImageReference(server.image);
  const digest = image.digests
    .map((name) => ({ ...parseImageReference(name), digest: name.slice(name.indexOf('@') + 1) }))
    .find(({ host, repository }) => host === reference.host && repository === reference.repository)?.digest;
  if (digest === undefined) return 'it did not come from its registry, so that nothing tells its digest';
  try {
    return await checkSignatures(digest, provenance, reference, deps);
  } catch (error) {
    if (error instanceof BerthError) return `its signatures cannot be checked (${error.describe()})`;
    throw error;
  }
}

async function checkSignatures(
  digest: string,
  provenance: NonNullable<Plan['provenance']>,
  reference: ReturnType<typeof parseImageReference>,
  deps: VerifyDeps,
): Promise<string | undefined> {
  const [{ findSignatures }, { openOciRegistry }, { loadTrustRoot }, { checkSignature }] = await Promise.all([
    import('./find-signatures.ts'),
    import('./oci-registry.ts'),
    import('./trust-root.ts'),
    import('./check-signature.ts'),
  ]);
  const fetch =
    deps.fetch ??
    createGuardedFetch({
      allowPrivate: true,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      ...(deps.ca === undefined ? {} : { ca: deps.ca }),
    });
  const registry = openOciRegistry(reference, fetch, await deps.credentialsFor(reference.host));
  const signatures = await findSignatures(registry, digest);
  if (signatures.length === 0) return 'it is not signed';
  const root = await loadTrustRoot(provenance.sigstoreUrl, deps);
  const faults = signatures.map((signature) => checkSignature(signature, digest, provenance, root));
  return faults.includes(undefined) ? undefined : faults[0];
}
