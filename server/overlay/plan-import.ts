import { isDeepStrictEqual } from 'node:util';
import { claimsKey, normalizeClaims } from '../../sources/model/claims.ts';
import type { ImportOutcome, StoredEntry, StoredVersion } from './overlay-store.ts';

/** What a store holds of an entry that is to be imported. */
export interface PresentEntry {
  readonly claimsKey: string;
  /** Those of its versions that are to be imported too, at least. */
  readonly versions: readonly StoredVersion[];
}

export interface ImportPlan {
  readonly result: ImportOutcome;
  /** To be added; none unless the result is `stored`. */
  readonly missing: readonly StoredVersion[];
}

/** Decides what importing an entry would change. The same entry again changes nothing; what is there always wins. */
export function planImport(present: PresentEntry | undefined, wanted: StoredEntry): ImportPlan {
  if (present && present.claimsKey !== claimsKey(normalizeClaims(wanted.claims)))
    return { result: { outcome: 'claims_differ' }, missing: [] };
  const known = new Map(present?.versions.map((version) => [version.version, version]));
  const differing = wanted.versions.find((version) => {
    const other = known.get(version.version);
    return other !== undefined && !isDeepStrictEqual(other, version);
  });
  if (differing) return { result: { outcome: 'version_differs', version: differing.version }, missing: [] };
  const missing = wanted.versions.filter(({ version }) => !known.has(version));
  return { result: { outcome: missing.length > 0 ? 'stored' : 'unchanged' }, missing };
}
