import { createHash } from 'node:crypto';
import type { Bundle } from '@sigstore/bundle';
import { type Answer, type Asked, serve } from '../remote/serve.ts';

const BUNDLE = 'application/vnd.dev.sigstore.bundle.v0.3+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

/** A registry of images on loopback, as far as signatures need it. */
export interface ImageRegistry {
  readonly host: string;
  readonly asked: string[];
  /** Puts an attestation beside a digest. */
  attach(repository: string, digest: string, bundle: unknown): void;
  /** Puts a cosign signature beside a digest. */
  attachSimple(repository: string, digest: string, payload: Buffer, bundle: Bundle): void;
  /** Answers the digest of a blob with other bytes. */
  corrupt(repository: string): void;
}

export interface ImageRegistryOptions {
  /** Whether it knows the referrers API; else the tag schema is used. */
  readonly hasReferrers?: boolean;
  /** Taken before every answer. */
  readonly gate?: (asked: Asked) => Answer | undefined;
}

export const digestOf = (bytes: Buffer | string) =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export async function startImageRegistry(options: ImageRegistryOptions = {}): Promise<ImageRegistry> {
  const { hasReferrers = true } = options;
  const manifests = new Map<string, string>();
  const blobs = new Map<string, Buffer>();
  const referrers = new Map<string, object[]>();
  const asked: string[] = [];
  const put = (repository: string, bytes: Buffer): { digest: string; size: number } => {
    const digest = digestOf(bytes);
    blobs.set(`${repository}@${digest}`, bytes);
    return { digest, size: bytes.length };
  };
  const origin = await serve((request) => {
    asked.push(request.url.pathname);
    const early = options.gate?.(request);
    if (early !== undefined) return early;
    const [, repository = '', kind = '', reference = ''] =
      /^\/v2\/(.+)\/(manifests|blobs|referrers)\/([^/]+)$/.exec(request.url.pathname) ?? [];
    const key = `${repository}@${reference}`;
    if (kind === 'blobs') return blobs.has(key) ? { body: blobs.get(key) } : { status: 404 };
    const listed = (at: string) => ({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: referrers.get(at) ?? [],
    });
    if (kind === 'referrers') return hasReferrers ? { body: listed(key) } : { status: 404 };
    const byTag = `${repository}@${reference.replace('-', ':')}`;
    if (kind === 'manifests' && !hasReferrers && referrers.has(byTag)) return { body: listed(byTag) };
    const manifest = manifests.get(key);
    return manifest === undefined
      ? { status: 404 }
      : { headers: { 'content-type': MANIFEST }, body: manifest };
  });
  return {
    host: new URL(origin).host,
    asked,
    attach(repository, digest, bundle) {
      const layer = { mediaType: BUNDLE, ...put(repository, Buffer.from(JSON.stringify(bundle))) };
      const manifest = JSON.stringify({
        schemaVersion: 2,
        mediaType: MANIFEST,
        artifactType: BUNDLE,
        layers: [layer],
      });
      manifests.set(`${repository}@${digestOf(manifest)}`, manifest);
      const known = referrers.get(`${repository}@${digest}`) ?? [];
      const entry = { mediaType: MANIFEST, digest: digestOf(manifest), artifactType: BUNDLE };
      referrers.set(`${repository}@${digest}`, [...known, entry]);
    },
    attachSimple(repository, digest, payload, bundle) {
      manifests.set(
        `${repository}@${digest.replace(':', '-')}.sig`,
        JSON.stringify({
          schemaVersion: 2,
          layers: [
            {
              mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
              ...put(repository, payload),
              annotations: annotate(bundle),
            },
          ],
        }),
      );
    },
    corrupt(repository) {
      for (const key of blobs.keys()) {
        if (key.startsWith(`${repository}@`)) blobs.set(key, Buffer.from('{"other":"bytes"}'));
      }
    },
  };
}

/** Writes the parts of a bundle the way cosign does. */
function annotate({ content, verificationMaterial }: Bundle): Record<string, string> {
  const { content: key, tlogEntries } = verificationMaterial;
  const [entry] = tlogEntries;
  if (content.$case !== 'messageSignature' || key.$case === 'publicKey' || entry === undefined)
    throw new TypeError('not a signature by certificate');
  const certificate =
    key.$case === 'certificate' ? key.certificate : key.x509CertificateChain.certificates[0];
  const pem = certificate?.rawBytes.toString('base64').replace(/(.{64})/g, '$1\n');
  return {
    'dev.cosignproject.cosign/signature': content.messageSignature.signature.toString('base64'),
    'dev.sigstore.cosign/certificate': `-----BEGIN CERTIFICATE-----\n${pem}\n-----END CERTIFICATE-----\n`,
    'dev.sigstore.cosign/bundle': JSON.stringify({
      SignedEntryTimestamp: entry.inclusionPromise?.signedEntryTimestamp.toString('base64'),
      Payload: {
        body: entry.canonicalizedBody.toString('base64'),
        integratedTime: Number(entry.integratedTime),
        logIndex: Number(entry.logIndex),
        logID: entry.logId.keyId.toString('hex'),
      },
    }),
  };
}
