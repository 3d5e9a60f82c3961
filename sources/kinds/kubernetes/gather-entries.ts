import type { Rejection } from '../../model/entry.ts';
import type { ClusterEntry, Translation } from './translate-resource.ts';

/** Something that knows resources by their name. */
export interface Translated {
  readonly wanted: { readonly plural: string };
  readonly translations: ReadonlyMap<string, Translation>;
}

/**
 * Joins what the feeds hold. Resources of two kinds may share a name; they would be versions of one entry with claims
 * of their own each, so the first kind keeps the name and the other is rejected.
 * @param feeds in the order of the configured resources
 */
export function gatherEntries(feeds: readonly Translated[]): {
  readonly entries: readonly ClusterEntry[];
  readonly rejected: readonly Rejection[];
} {
  const found = new Map<string, { readonly entry: ClusterEntry; readonly plural: string }>();
  const rejected: Rejection[] = [];
  for (const { wanted, translations } of feeds) {
    for (const translation of translations.values()) {
      if (translation.outcome === 'rejected') rejected.push(translation.rejection);
      if (translation.outcome !== 'exported') continue;
      const { entry } = translation;
      const first = found.get(entry.name);
      if (!first) {
        found.set(entry.name, { entry, plural: wanted.plural });
        continue;
      }
      const { file, line } = entry;
      const reason = `${wanted.plural} ${file} has the name of ${first.plural} ${file}, which is exported; rename one of them`;
      rejected.push({ file, line, reason });
    }
  }
  const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
  return {
    entries: [...found].sort(byName).map(([, { entry }]) => entry),
    rejected: rejected.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)),
  };
}
