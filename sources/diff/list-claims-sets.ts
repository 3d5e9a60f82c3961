import type { Config } from '../config/schema.ts';
import { type ClaimSet, type Claims, claimsKey, normalizeClaims } from '../model/claims.ts';

/**
 * The distinct claims sets that configurations use: of sources, registries, roles and the site. The empty set comes
 * first: it stands for callers who hold none of them.
 */
export function listClaimsSets(configs: readonly Config[]): ClaimSet[] {
  const sets = new Map<string, ClaimSet>();
  for (const claims of configs.flatMap(listClaims)) {
    const set = normalizeClaims(claims);
    if (set.length > 0) sets.set(claimsKey(set), set);
  }
  return [[], ...[...sets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, set]) => set)];
}

function listClaims(config: Config): (Claims | undefined)[] {
  return [
    ...config.sources.map(({ claims }) => claims),
    ...config.registries.map(({ claims }) => claims),
    ...Object.values(config.auth?.authz?.roles ?? {}).flat(),
    config.site.audience,
  ];
}
