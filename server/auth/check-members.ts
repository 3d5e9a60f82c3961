import type { ProviderSettings } from './provider-settings.ts';
import type { RefusalReason } from './refusal.ts';

/** Tolerated difference between the issuer's clock and ours, both ways (contract 7). */
export const CLOCK_SKEW_MS = 30_000;

/**
 * Checks `exp`, `nbf`, `iss` and `aud` of a token for one provider (specification 5.2): issuer byte for byte, audience
 * equal or an array that holds it, times in seconds with 30 s of tolerance.
 * @param provider what it leaves out is not compared
 * @param at milliseconds since the epoch
 * @param absent `refused`: `exp`, `iss` and `aud` are required, as in a JWT. `accepted`: they are checked when present,
 *   as in an introspection answer (contract 12.12)
 * @returns why the token is refused, undefined when it is not
 */
export function checkMembers(
  { exp, nbf, iss, aud }: Readonly<Record<string, unknown>>,
  provider: Pick<ProviderSettings, 'issuerUrl' | 'audience'>,
  at: number,
  absent: 'refused' | 'accepted',
): RefusalReason | undefined {
  const skips = (value: unknown): boolean => value === undefined && absent === 'accepted';
  const { issuerUrl, audience } = provider;
  if (issuerUrl !== undefined && !skips(iss) && iss !== issuerUrl) return 'issuer';
  if (
    audience !== undefined &&
    !skips(aud) &&
    aud !== audience &&
    !(Array.isArray(aud) && aud.includes(audience))
  ) {
    return 'audience';
  }
  if (!skips(exp)) {
    if (!isTime(exp)) return 'malformed';
    if (at >= exp * 1000 + CLOCK_SKEW_MS) return 'expired';
  }
  if (nbf === undefined) return undefined;
  if (!isTime(nbf)) return 'malformed';
  return nbf * 1000 > at + CLOCK_SKEW_MS ? 'not_yet_valid' : undefined;
}

/** JSON may hold 1e999, which is a number and never ends. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
