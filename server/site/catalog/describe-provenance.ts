import { isPlainObject, type PlainObject } from '../../../sources/model/plain-object.ts';
import type { ProvenanceLines } from '../catalog-reader.ts';
import { textOf } from './read-item.ts';

/** Who built and signed it, by a publisher's block; undefined when it says nothing of that. */
export function describeProvenance({ provenance }: PlainObject): ProvenanceLines | undefined {
  if (!isPlainObject(provenance)) return undefined;
  const lines = {
    sigstoreUrl: textOf(provenance.sigstore_url),
    repositoryUri: textOf(provenance.repository_uri),
    signerIdentity: textOf(provenance.signer_identity),
    runnerEnvironment: textOf(provenance.runner_environment),
    certIssuer: textOf(provenance.cert_issuer),
  };
  return Object.values(lines).some((line) => line !== undefined) ? lines : undefined;
}
