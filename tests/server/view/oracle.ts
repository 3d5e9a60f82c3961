import type { Filters } from '../../../server/view/query.ts';
import type { Claims } from '../../../sources/model/claims.ts';
import type { CatalogEntry } from '../../../sources/model/entry.ts';
import { compareNewestFirst, readVersion } from '../../../sources/model/version.ts';

/** A source as the oracle sees it: entries in any order, claims by name. */
export interface PlainSource {
  readonly source: string;
  readonly entries: readonly CatalogEntry[];
  readonly claims: Readonly<Record<string, Claims>>;
}

/** What is listed of it, naively: claims, then shadowing, then the filters one by one. */
export function listNaively(
  sources: readonly PlainSource[],
  held: Readonly<Record<string, readonly string[]>> | 'everything',
  filters: Filters,
): string[] {
  const names = new Set(sources.flatMap(({ entries }) => entries.map((entry) => entry.name)));
  return [...names].sort().flatMap((name) => {
    const winner = sources.find(
      ({ entries, claims }) =>
        entries.some((entry) => entry.name === name) && isVisible(claims[name] ?? {}, held),
    );
    if (!winner || (filters.source !== undefined && filters.source !== winner.source)) return [];
    const versions = winner.entries
      .filter((entry) => entry.name === name)
      .sort((a, b) => compareNewestFirst(readVersion(a.version), readVersion(b.version)));
    const latest = latestNaively(versions) ?? (filters.includeDeleted ? stableFirst(versions) : undefined);
    return versions
      .filter((entry) => filters.includeDeleted || entry.status !== 'deleted')
      .filter((entry) => filters.version !== 'latest' || entry === latest)
      .filter((entry) => [undefined, 'latest', entry.version].includes(filters.version))
      .filter((entry) => filters.status === undefined || entry.status === filters.status)
      .filter((entry) => filters.tag === undefined || entry.tags.includes(filters.tag))
      .filter((entry) => filters.updatedSince === undefined || (entry.updatedAt ?? 0) >= filters.updatedSince)
      .map((entry) => `${winner.source} ${keyOf(entry)}`);
  });
}

export function keyOf({ name, version }: Pick<CatalogEntry, 'name' | 'version'>): string {
  return `${name}@${version}`;
}

function latestNaively(versions: readonly CatalogEntry[]): CatalogEntry | undefined {
  return stableFirst(versions.filter((entry) => entry.status !== 'deleted'));
}

function stableFirst(versions: readonly CatalogEntry[]): CatalogEntry | undefined {
  const isStable = (entry: CatalogEntry) => readVersion(entry.version).parsed?.prerelease.length === 0;
  return versions.find(isStable) ?? versions[0];
}

function isVisible(
  claims: Claims,
  held: Readonly<Record<string, readonly string[]>> | 'everything',
): boolean {
  if (held === 'everything') return true;
  const keys = Object.keys(claims);
  return (
    keys.length > 0 && keys.every((key) => [claims[key] ?? []].flat().some((v) => held[key]?.includes(v)))
  );
}
