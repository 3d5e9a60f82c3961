import { type CryptoKey, importJWK, type JWK } from 'jose';
import { z } from 'zod';

/** Algorithms a token may be signed with, and the kind of key each needs (contract 7). Never `none`, never HS. */
const KEY_KINDS: ReadonlyMap<string, { readonly kty: string; readonly crv?: string }> = new Map([
  ['RS256', { kty: 'RSA' }],
  ['RS384', { kty: 'RSA' }],
  ['RS512', { kty: 'RSA' }],
  ['PS256', { kty: 'RSA' }],
  ['PS384', { kty: 'RSA' }],
  ['PS512', { kty: 'RSA' }],
  ['ES256', { kty: 'EC', crv: 'P-256' }],
  ['ES384', { kty: 'EC', crv: 'P-384' }],
  ['ES512', { kty: 'EC', crv: 'P-521' }],
  ['EdDSA', { kty: 'OKP', crv: 'Ed25519' }],
  ['Ed25519', { kty: 'OKP', crv: 'Ed25519' }],
]);
export const ACCEPTED_ALGORITHMS: readonly string[] = [...KEY_KINDS.keys()];

const MAX_KEYS = 100;
const keySetSchema = z.object({ keys: z.array(z.unknown()) });
/** Only public members: a private key published by mistake is used as the public one it contains. */
const materialSchema = z.object({
  kty: z.enum(['RSA', 'EC', 'OKP']),
  crv: z.string().exactOptional(),
  n: z.string().exactOptional(),
  e: z.string().exactOptional(),
  x: z.string().exactOptional(),
  y: z.string().exactOptional(),
});
const purposeSchema = z.object({
  kid: z.string().optional(),
  alg: z.string().optional(),
  use: z.literal('sig').optional(),
  key_ops: z
    .array(z.string())
    .refine((operations) => operations.includes('verify'))
    .optional(),
});

/** One published key. It stays the same object for as long as the issuer publishes it unchanged. */
export interface VerificationKey {
  readonly kid: string | undefined;
  /** Set when the issuer no longer publishes the key: tokens it verified are forgotten. */
  withdrawn: boolean;
  fits(alg: string): boolean;
  /** The imported key, made once per algorithm; at once when it was. Rejects for a key that cannot be used. */
  importFor(alg: string): CryptoKey | Promise<CryptoKey>;
}

/** Published keys by fingerprint, in the order of the document. */
export type KeySet = ReadonlyMap<string, VerificationKey>;

/**
 * Reads a JWKS document. Keys that are not for verifying signatures or cannot be understood are left out. Keys that
 * `previous` had are carried over; those of it that are gone are marked as withdrawn.
 * @throws ZodError when the document has no `keys` array
 */
export function readKeySet(document: unknown, previous: KeySet | undefined): KeySet {
  const set = new Map<string, VerificationKey>();
  for (const candidate of keySetSchema.parse(document).keys.slice(0, MAX_KEYS)) {
    const material = materialSchema.safeParse(candidate);
    const purpose = purposeSchema.safeParse(candidate);
    if (!material.success || !purpose.success) continue;
    const { kid, alg } = purpose.data;
    const fingerprint = JSON.stringify([kid, alg, material.data]);
    set.set(fingerprint, previous?.get(fingerprint) ?? makeKey(material.data, kid, alg));
  }
  for (const [fingerprint, key] of previous ?? []) if (!set.has(fingerprint)) key.withdrawn = true;
  return set;
}

/** The keys that may have signed a token: those of its `kid`, or without one all that fit its algorithm. */
export function selectKeys(set: KeySet, alg: string, kid: string | undefined): VerificationKey[] {
  const found: VerificationKey[] = [];
  for (const key of set.values()) {
    if ((kid === undefined || key.kid === kid) && key.fits(alg)) found.push(key);
  }
  return found;
}

function makeKey(
  material: z.infer<typeof materialSchema>,
  kid: string | undefined,
  ownAlg: string | undefined,
): VerificationKey {
  const { kty, crv } = material;
  const imported = new Map<string, CryptoKey | Promise<CryptoKey>>();
  return {
    kid,
    withdrawn: false,
    fits(alg) {
      const kind = KEY_KINDS.get(alg);
      if (kind === undefined || kind.kty !== kty || (kind.crv !== undefined && kind.crv !== crv))
        return false;
      return ownAlg === undefined || ownAlg === alg || (kty === 'OKP' && KEY_KINDS.get(ownAlg) !== undefined);
    },
    importFor(alg) {
      const known = imported.get(alg);
      if (known) return known;
      const importing = importPublicKey(material, alg).then((key) => {
        imported.set(alg, key);
        return key;
      });
      imported.set(alg, importing);
      return importing;
    },
  };
}

async function importPublicKey(material: JWK, alg: string): Promise<CryptoKey> {
  const key = await importJWK(material, alg);
  if (key instanceof Uint8Array) throw new TypeError('a symmetric key cannot verify a token');
  return key;
}
