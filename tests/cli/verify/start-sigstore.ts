import { createHash, generateKeyPairSync } from 'node:crypto';
import { bundleToJSON } from '@sigstore/bundle';
import { fulcioHandler, initializeCA, initializeCTLog, initializeTLog, rekorHandler } from '@sigstore/mock';
import { HashAlgorithm, PublicKeyDetails, TrustedRoot } from '@sigstore/protobuf-specs';
import {
  type Bundle,
  DSSEBundleBuilder,
  FulcioSigner,
  MessageSignatureBundleBuilder,
  RekorWitness,
} from '@sigstore/sign';
import { serve } from '../remote/serve.ts';

/** Claims of the identity token somebody signs with; those of a workflow become extensions of the certificate. */
export interface Signing {
  readonly sub: string;
  readonly iss: string;
  readonly repository?: string;
  readonly ref?: string;
  readonly runner_environment?: string;
}

/** A Sigstore of our own on loopback: Fulcio with a CT log, and Rekor. */
export interface TestSigstore {
  /** What `BERTH_SIGSTORE_TRUSTED_ROOT` names a file of. */
  readonly root: unknown;
  /** A signed in-toto statement about a digest, as bundle. */
  attest(digest: string, signing: Signing, predicateType?: string): Promise<unknown>;
  /** A signature over bytes, as bundle. */
  sign(payload: Buffer, signing: Signing): Promise<Bundle>;
}

export async function startSigstore(): Promise<TestSigstore> {
  const makeKeys = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
  const ctLog = await initializeCTLog(makeKeys('prime256v1'));
  const ca = await initializeCA(makeKeys('secp384r1'), ctLog);
  let tlog: Awaited<ReturnType<typeof initializeTLog>> | undefined;
  const url = await serve(async ({ url: asked, body }) => {
    const handlers = [fulcioHandler(ca), ...(tlog === undefined ? [] : [rekorHandler(tlog)])];
    const handler = handlers.find(({ path }) => path === asked.pathname);
    if (handler === undefined) return { status: 404 };
    const { statusCode, response, contentType = 'text/plain' } = await handler.fn(body);
    return { status: statusCode, headers: { 'content-type': contentType }, body: String(response) };
  });
  tlog = await initializeTLog(url, makeKeys('prime256v1'));
  const parts = (signing: Signing) => ({
    signer: new FulcioSigner({
      fulcioBaseURL: url,
      identityProvider: { getToken: async () => makeToken(signing) },
    }),
    witnesses: [new RekorWitness({ rekorBaseURL: url, entryType: 'intoto' })],
  });
  const log = (publicKey: Buffer, keyId: Buffer) => ({
    baseUrl: url,
    hashAlgorithm: HashAlgorithm.SHA2_256,
    publicKey: {
      rawBytes: publicKey,
      keyDetails: PublicKeyDetails.PKIX_ECDSA_P256_SHA_256,
      validFor: { start: new Date(0), end: undefined },
    },
    logId: { keyId },
    checkpointKeyId: undefined,
    operator: 'tests',
  });
  const root = TrustedRoot.toJSON({
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [log(tlog.publicKey, createHash('sha256').update(tlog.publicKey).digest())],
    certificateAuthorities: [
      {
        subject: { commonName: 'sigstore', organization: 'sigstore.mock' },
        uri: url,
        certChain: { certificates: [{ rawBytes: toBuffer(ca.rootCertificate) }] },
        validFor: { start: new Date(0), end: undefined },
        operator: 'tests',
      },
    ],
    ctlogs: [log(ctLog.publicKey, toBuffer(ctLog.logID))],
    timestampAuthorities: [],
  });
  return {
    root,
    async attest(digest, signing, predicateType = 'https://slsa.dev/provenance/v1') {
      const statement = {
        _type: 'https://in-toto.io/Statement/v1',
        subject: [{ name: 'image', digest: { sha256: digest.replace('sha256:', '') } }],
        predicateType,
        predicate: {},
      };
      const builder = new DSSEBundleBuilder(parts(signing));
      const data = Buffer.from(JSON.stringify(statement));
      return bundleToJSON(await builder.create({ data, type: 'application/vnd.in-toto+json' }));
    },
    sign: (payload, signing) => new MessageSignatureBundleBuilder(parts(signing)).create({ data: payload }),
  };
}

/** Fulcio's stand-in reads the claims only. */
function makeToken(claims: Signing): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ aud: 'sigstore', ...claims })}.`;
}

function toBuffer(view: ArrayBufferView): Buffer {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}
