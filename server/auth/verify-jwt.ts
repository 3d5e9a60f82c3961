import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import type { ProviderConfig } from '../../sources/config/schema.ts';
import { ACCEPTED_ALGORITHMS, type VerificationKey } from './key-set.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { RefusalReason } from './refusal.ts';

/** Tolerated difference between the issuer's clock and ours, both ways (contract 7). */
export const CLOCK_SKEW_SECONDS = 30;

const algorithms = [...ACCEPTED_ALGORITHMS];
const headerSchema = z.object({ alg: z.string(), kid: z.string().optional() });

/** What a JWT says about itself before anything is verified: only good for choosing provider and key. */
export interface JwtOutline {
  readonly alg: string;
  readonly kid: string | undefined;
  readonly issuer: unknown;
}

export type JwtVerdict =
  | { readonly members: JWTPayload; readonly expiresAt: number; readonly key: VerificationKey }
  | { readonly refused: RefusalReason };

/** Reads the outline of a token; undefined when it is no JWT. */
export function outlineJwt(token: string): JwtOutline | undefined {
  try {
    const header = headerSchema.parse(decodeProtectedHeader(token));
    return { alg: header.alg, kid: header.kid, issuer: decodeJwt(token).iss };
  } catch {
    return undefined;
  }
}

/**
 * Verifies a JWT for one provider (specification 5.2, contract 7): accepted algorithm, signature by a published key,
 * `iss` and `aud` equal, `exp` required, `nbf` honoured. Keys in the token's header are never used.
 * @param at milliseconds since the epoch
 * @throws what kept the provider's keys from being loaded
 */
export async function verifyJwt(
  token: string,
  outline: JwtOutline,
  provider: Pick<ProviderConfig, 'issuerUrl' | 'audience'>,
  keys: ProviderKeys,
  at: number,
): Promise<JwtVerdict> {
  if (!ACCEPTED_ALGORITHMS.includes(outline.alg)) return { refused: 'algorithm' };
  const tried = await tryKeys(token, outline, provider, keys, at);
  // Without a kid a changed key set only shows in a signature that fits no key.
  const mayBeNew = outline.kid === undefined && 'refused' in tried && tried.refused === 'signature';
  if (!mayBeNew || !(await keys.refreshForUnknown())) return tried;
  return tryKeys(token, outline, provider, keys, at);
}

async function tryKeys(
  token: string,
  { alg, kid }: JwtOutline,
  provider: Pick<ProviderConfig, 'issuerUrl' | 'audience'>,
  keys: ProviderKeys,
  at: number,
): Promise<JwtVerdict> {
  const candidates = await keys.find(alg, kid);
  let refused: RefusalReason = 'unknown_key';
  for (const key of candidates) {
    try {
      const { payload } = await jwtVerify(token, await key.importFor(alg), {
        algorithms,
        issuer: provider.issuerUrl,
        audience: provider.audience,
        requiredClaims: ['exp'],
        clockTolerance: CLOCK_SKEW_SECONDS,
        currentDate: new Date(at),
      });
      // JSON may hold 1e999, which is a number and never ends.
      if (!Number.isFinite(payload.exp)) return { refused: 'malformed' };
      return { members: payload, expiresAt: Number(payload.exp) * 1000, key };
    } catch (error) {
      refused = nameRefusal(error);
      if (refused !== 'signature') return { refused };
    }
  }
  return { refused };
}

function nameRefusal(error: unknown): RefusalReason {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'algorithm';
  if (!(error instanceof errors.JWTClaimValidationFailed) || error.reason === 'invalid') {
    // A key that cannot be imported is as good as none.
    return error instanceof errors.JOSEError ? 'malformed' : 'signature';
  }
  if (error.claim === 'aud') return 'audience';
  if (error.claim === 'iss') return 'issuer';
  return error.claim === 'nbf' ? 'not_yet_valid' : 'malformed';
}
