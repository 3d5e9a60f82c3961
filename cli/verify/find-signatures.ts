import { createHash } from 'node:crypto';
import { type Bundle, bundleFromJSON } from '@sigstore/bundle';
import { z } from 'zod';
import type { Descriptor, OciRegistry } from './oci-registry.ts';

const BUNDLE_TYPE = /^application\/vnd\.dev\.sigstore\.bundle\b/;
const SIMPLE_SIGNING = 'application/vnd.dev.cosign.simplesigning.v1+json';
const SIGNATURE = 'dev.cosignproject.cosign/signature';
const CERTIFICATE = 'dev.sigstore.cosign/certificate';
const REKOR = 'dev.sigstore.cosign/bundle';
const MAX_SIGNATURES = 20;

/** A Sigstore bundle found beside an image; `payload` is what a plain signature signs. */
export interface FoundSignature {
  readonly bundle: Bundle;
  readonly payload: Buffer | undefined;
}

const rekorSchema = z.object({
  SignedEntryTimestamp: z.string(),
  Payload: z.object({
    body: z.string(),
    integratedTime: z.number(),
    logIndex: z.number(),
    logID: z.string(),
  }),
});

/**
 * The signatures and attestations of an image: Sigstore bundles among the referrers of its digest, and cosign's
 * `sha256-….sig` with certificate and log entry. What is no bundle is left out; nothing is trusted yet.
 */
export async function findSignatures(registry: OciRegistry, digest: string): Promise<FoundSignature[]> {
  const found: FoundSignature[] = [];
  const referrers = await registry.listReferrers(digest);
  for (const referrer of referrers
    .filter(({ artifactType, mediaType }) => isBundle(artifactType) || isManifest(mediaType))
    .slice(0, MAX_SIGNATURES)) {
    const manifest = await registry.readManifest(referrer.digest);
    for (const layer of manifest?.layers ?? []) {
      if (!isBundle(layer.mediaType)) continue;
      const bundle = readBundle(await readExactly(registry, layer.digest));
      if (bundle !== undefined) found.push({ bundle, payload: undefined });
    }
  }
  const simple = await registry.readManifest(`${digest.replace(':', '-')}.sig`);
  for (const layer of (simple?.layers ?? []).slice(0, MAX_SIGNATURES)) {
    if (layer.mediaType !== SIMPLE_SIGNING) continue;
    const payload = await readExactly(registry, layer.digest);
    const bundle = payload && assembleBundle(layer, payload);
    if (bundle !== undefined) found.push({ bundle, payload });
  }
  return found;
}

function isBundle(type: string | undefined): boolean {
  return type !== undefined && BUNDLE_TYPE.test(type);
}

function isManifest(type: string): boolean {
  return type === 'application/vnd.oci.image.manifest.v1+json';
}

/** A blob that is what its digest says; undefined otherwise. */
async function readExactly(registry: OciRegistry, digest: string): Promise<Buffer | undefined> {
  const blob = await registry.readBlob(digest);
  return `sha256:${createHash('sha256').update(blob).digest('hex')}` === digest ? blob : undefined;
}

function readBundle(blob: Buffer | undefined): Bundle | undefined {
  try {
    return blob && bundleFromJSON(JSON.parse(blob.toString()));
  } catch {
    // Another kind of attachment; if nothing else is there, the image counts as not signed.
    return undefined;
  }
}

/** cosign keeps the parts of a bundle in annotations. */
function assembleBundle({ annotations = {} }: Descriptor, payload: Buffer): Bundle | undefined {
  const { [SIGNATURE]: signature, [CERTIFICATE]: certificate, [REKOR]: rekorText } = annotations;
  if (signature === undefined || certificate === undefined || rekorText === undefined) return undefined;
  try {
    const { SignedEntryTimestamp, Payload } = rekorSchema.parse(JSON.parse(rekorText));
    const { kind, apiVersion } = z
      .object({ kind: z.string(), apiVersion: z.string() })
      .parse(JSON.parse(Buffer.from(Payload.body, 'base64').toString()));
    return bundleFromJSON({
      mediaType: 'application/vnd.dev.sigstore.bundle+json;version=0.1',
      verificationMaterial: {
        x509CertificateChain: { certificates: [{ rawBytes: toDer(certificate) }] },
        tlogEntries: [
          {
            logIndex: String(Payload.logIndex),
            logId: { keyId: Buffer.from(Payload.logID, 'hex').toString('base64') },
            kindVersion: { kind, version: apiVersion },
            integratedTime: String(Payload.integratedTime),
            inclusionPromise: { signedEntryTimestamp: SignedEntryTimestamp },
            canonicalizedBody: Payload.body,
          },
        ],
      },
      messageSignature: {
        messageDigest: {
          algorithm: 'SHA2_256',
          digest: createHash('sha256').update(payload).digest('base64'),
        },
        signature,
      },
    });
  } catch {
    return undefined;
  }
}

/** The first certificate of a PEM text, as base64 of its bytes. */
function toDer(pem: string): string {
  return pem.replace(/-----END CERTIFICATE-----[\s\S]*/, '').replace(/-----BEGIN CERTIFICATE-----|\s/g, '');
}
