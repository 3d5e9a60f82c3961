import { compactVerify, errors } from 'jose';
import { checkMembers } from './check-members.ts';
import type { JwtOutline } from './jwt-outline.ts';
import { ACCEPTED_ALGORITHMS, type VerificationKey } from './key-set.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { RefusalReason } from './refusal.ts';

export type JwtVerdict =
  | { readonly members: JwtOutline['members']; readonly expiresAt: number; readonly key: VerificationKey }
  | { readonly refused: RefusalReason };

/**
 * Verifies a JWT for one provider (specification 5.2, contract 7): accepted algorithm, signature by a published key,
 * `iss` and `aud` equal, `exp` required, `nbf` honoured. Keys in the token's header are never used. jose verifies
 * the signature; its claims check would parse the payload a second time.
 * @param outline that of this very token
 * @param at milliseconds since the epoch
 * @throws what kept the provider's keys from being loaded
 */
export async function verifyJwt(
  token: string,
  outline: JwtOutline,
  provider: Pick<ProviderSettings, 'issuerUrl' | 'audience'>,
  keys: ProviderKeys,
  at: number,
): Promise<JwtVerdict> {
  const { alg, kid, members } = outline;
  if (!ACCEPTED_ALGORITHMS.includes(alg)) return { refused: 'algorithm' };
  const found = keys.find(alg, kid);
  let signer = await findSigner(token, alg, found instanceof Promise ? await found : found);
  // Without a kid a changed key set only shows in a signature that fits no key.
  if (signer === 'signature' && kid === undefined && (await keys.refreshForUnknown())) {
    signer = await findSigner(token, alg, await keys.find(alg, kid));
  }
  if (typeof signer === 'string') return { refused: signer };
  const refused = checkMembers(members, provider, at, 'refused');
  return refused ? { refused } : { members, expiresAt: Number(members.exp) * 1000, key: signer };
}

async function findSigner(
  token: string,
  alg: string,
  candidates: readonly VerificationKey[],
): Promise<VerificationKey | RefusalReason> {
  if (candidates.length === 0) return 'unknown_key';
  for (const key of candidates) {
    try {
      const imported = key.importFor(alg);
      const usable = imported instanceof Promise ? await imported : imported;
      await compactVerify(token, usable, { algorithms: [alg] });
      return key;
    } catch (error) {
      if (error instanceof errors.JWSInvalid || error instanceof errors.JOSENotSupported) return 'malformed';
      // Any other error is about this key, also one that cannot be imported: the next may fit.
    }
  }
  return 'signature';
}
