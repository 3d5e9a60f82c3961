import { CLOCK_SKEW_MS } from './check-members.ts';
import { outlineJwt } from './jwt-outline.ts';
import type { MakeIdentity } from './make-identity.ts';
import type { AuthLog, Provider } from './provider.ts';
import type { RefusalReason } from './refusal.ts';
import type { RememberedToken } from './remembered-tokens.ts';

/** Introspection answers are trusted this long (contract 7). */
const INTROSPECTION_MS = 60_000;

export interface ValidationDeps {
  readonly providers: readonly Provider[];
  readonly makeIdentity: MakeIdentity;
  readonly now: () => number;
  readonly log: AuthLog;
}

/**
 * Validates a token that is not remembered (specification 5.2): as a JWT with the providers whose issuer it names, in
 * order; then by introspection with those that offer it, in order. JWT validation comes first with all of them, so a
 * provider's token is not shown to another one's introspection endpoint as long as it validates.
 */
export async function validateToken(
  token: string,
  deps: ValidationDeps,
): Promise<RememberedToken | { readonly refused: RefusalReason }> {
  const { providers, log } = deps;
  const outline = outlineJwt(token);
  let refused: RefusalReason = outline ? 'issuer' : 'malformed';
  let named = false;
  for (const provider of outline ? providers : []) {
    if (!outline || !provider.verifies) continue;
    if (provider.issuerUrl !== undefined && provider.issuerUrl !== outline.members.iss) continue;
    const verdict = await provider.verify(token, outline);
    if ('members' in verdict) {
      const identity = deps.makeIdentity(verdict.members, verdict.expiresAt);
      const signedBy = { key: verdict.key, keys: provider.keys };
      return { identity, validUntil: verdict.expiresAt + CLOCK_SKEW_MS, signedBy };
    }
    refused = verdict.refused;
    named = true;
    log('debug', { provider: provider.name, reason: refused }, 'token refused');
  }
  for (const provider of providers) {
    if (!provider.introspects) continue;
    const verdict = await provider.introspect(token);
    if ('members' in verdict) {
      const limit = deps.now() + INTROSPECTION_MS;
      const expiresAt = verdict.expiresAt ?? limit;
      const identity = deps.makeIdentity(verdict.members, expiresAt);
      return { identity, validUntil: Math.min(limit, expiresAt + CLOCK_SKEW_MS) };
    }
    // What was wrong with the JWT says more than "inactive"; an unreachable provider might still have accepted.
    if (!named && refused !== 'provider_unavailable') refused = verdict.refused;
    log('debug', { provider: provider.name, reason: verdict.refused }, 'token refused by introspection');
  }
  return { refused };
}
