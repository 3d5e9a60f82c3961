import type { TrustedRoot } from '@sigstore/protobuf-specs';
import { type Signer, toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { z } from 'zod';
import { messageOf } from '../../sources/errors.ts';
import type { Provenance } from '../run/plan.ts';
import type { FoundSignature } from './find-signatures.ts';

/** Extensions of Fulcio certificates, below 1.3.6.1.4.1.57264.1. */
const FULCIO = '1.3.6.1.4.1.57264.1.';
const RUNNER_ENVIRONMENT = `${FULCIO}11`;
const SOURCE_REPOSITORY = `${FULCIO}12`;
const SOURCE_REF = `${FULCIO}14`;

const statementSchema = z.object({
  predicateType: z.string().optional(),
  subject: z.array(z.object({ digest: z.record(z.string(), z.string()) })),
});
const simpleSigningSchema = z.object({
  critical: z.object({ image: z.object({ 'docker-manifest-digest': z.string() }) }),
});

/**
 * Checks one signature: certificate of the trust root, inclusion in the transparency log, signature, the digest that
 * was signed, and who signed it (contract 7).
 * @returns undefined when all of it holds, else why not
 */
export function checkSignature(
  { bundle, payload }: FoundSignature,
  digest: string,
  provenance: Provenance,
  root: TrustedRoot,
): string | undefined {
  let signer: Signer;
  try {
    const verifier = new Verifier(toTrustMaterial(root), { tlogThreshold: 1, ctlogThreshold: 1 });
    signer = verifier.verify(toSignedEntity(bundle, payload));
  } catch (error) {
    return `its signature does not hold (${messageOf(error)})`;
  }
  const { content } = bundle;
  if (content.$case === 'dsseEnvelope') {
    const statement = statementSchema.safeParse(parse(content.dsseEnvelope.payload));
    const hex = digest.replace(/^sha256:/, '');
    if (!statement.success || !statement.data.subject.some((subject) => subject.digest.sha256 === hex)) {
      return 'the signed statement is about another image';
    }
    const wanted = provenance.attestation?.predicateType;
    if (wanted !== undefined && statement.data.predicateType !== wanted) {
      return `the signed statement is of another kind (${statement.data.predicateType})`;
    }
  } else {
    const signed = simpleSigningSchema.safeParse(payload && parse(payload));
    if (!signed.success || signed.data.critical.image['docker-manifest-digest'] !== digest) {
      return 'the signature is about another image';
    }
  }
  return checkIdentity(signer, provenance);
}

/** Compares who signed with what the registry entry says; only what it says is compared. */
function checkIdentity({ identity }: Signer, provenance: Provenance): string | undefined {
  const extension = (oid: string): string | undefined => {
    const found = identity?.oids?.find((pair) => pair.oid?.id.join('.') === oid)?.value;
    return found === undefined ? undefined : readUtf8String(found);
  };
  const comparisons: readonly (readonly [
    what: string,
    wanted: string | undefined,
    found: string | undefined,
  ])[] = [
    ['signer', provenance.signerIdentity, identity?.subjectAlternativeName],
    ['certificate issuer', provenance.certIssuer, identity?.extensions?.issuer],
    ['repository', provenance.repositoryUri, extension(SOURCE_REPOSITORY)],
    ['repository ref', provenance.repositoryRef, extension(SOURCE_REF)],
    ['runner environment', provenance.runnerEnvironment, extension(RUNNER_ENVIRONMENT)],
  ];
  const wrong = comparisons.find(
    ([what, wanted, found]) => wanted !== undefined && !isSame(what, wanted, found, provenance.repositoryUri),
  );
  return wrong && `it was signed by another ${wrong[0]} (${wrong[2] ?? 'none'} instead of ${wrong[1]})`;
}

/**
 * The identity of a workflow is often given without the ref that the certificate carries, and without the repository
 * when that is given besides; then it is of the repository that was compared before.
 */
function isSame(what: string, wanted: string, found: string | undefined, repository?: string): boolean {
  if (found === wanted) return true;
  if (what !== 'signer' || found === undefined) return false;
  if (wanted.startsWith('/')) return repository !== undefined && isSame(what, repository + wanted, found);
  return /^https:/.test(wanted) && !wanted.includes('@') && found.startsWith(`${wanted}@`);
}

/** Fulcio's newer extensions are DER strings: tag, length, text. */
function readUtf8String(value: Buffer): string {
  return value[0] === 0x0c && value[1] === value.length - 2 ? value.subarray(2).toString() : value.toString();
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
