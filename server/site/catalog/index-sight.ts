import { LRUCache } from 'lru-cache';
import type { EntryType } from '../../../sources/model/entry.ts';
import { basisOf, type PageBasis } from '../../consumer/page-scope.ts';
import { findVersion } from '../../view/find-entry.ts';
import { mergeNames } from '../../view/merge-names.ts';
import type { RegistrySettings, Sight } from '../../view/registry-view.ts';
import { recallFacts } from './known-facts.ts';
import { SightIndex } from './sight-index.ts';

interface Kept {
  readonly index: SightIndex;
  sight: number;
  /** The segments it was last brought up to date with. */
  basis: readonly PageBasis[];
}

/** Names of all indexes of a registry together: what an index of old bundles keeps alive has to go some time. */
const MOST_NAMES = 1_000_000;
/** Of each registry as it was declared. */
const kept = new WeakMap<RegistrySettings, LRUCache<string, Kept>>();

/**
 * What is seen with a sight, as an index. Made once for all who see the same; after a change of a managed source only
 * the names that changed are looked at again.
 * @param sight of the newest view of its registry
 */
export function indexSight(sight: Sight, type: EntryType): SightIndex {
  const key = `${sight.key} ${type}`;
  const indexes = reachIndexes(sight.registry.settings);
  const known = indexes.get(key);
  if (known?.sight === sight.id) return known.index;
  const changed = known && listChanged(known.basis, sight, type);
  if (!known || !changed) {
    const index = buildIndex(sight, type);
    indexes.set(key, { index, sight: sight.id, basis: basisOf(sight) });
    return index;
  }
  for (const name of changed) known.index.replace(name, factsOfName(sight, type, name));
  known.sight = sight.id;
  known.basis = basisOf(sight);
  return known.index;
}

function reachIndexes(settings: RegistrySettings): LRUCache<string, Kept> {
  const known = kept.get(settings);
  if (known) return known;
  const made = new LRUCache<string, Kept>({
    maxSize: MOST_NAMES,
    sizeCalculation: ({ index }) => index.names.length + 1,
  });
  kept.set(settings, made);
  return made;
}

/** The names that may be seen differently since; undefined when that may be any. */
function listChanged(
  basis: readonly PageBasis[],
  { parts }: Sight,
  type: EntryType,
): ReadonlySet<string> | undefined {
  if (basis.length !== parts.length) return undefined;
  const names = new Set<string>();
  for (const [at, { segment }] of parts.entries()) {
    const before = basis[at];
    if (before?.source !== segment.source) return undefined;
    if (before.generation === segment.generation) continue;
    const changes = segment.changesSince?.(before.generation);
    if (!changes) return undefined;
    for (const change of changes) if (change.type === type) names.add(change.name);
  }
  return names;
}

function buildIndex(sight: Sight, type: EntryType): SightIndex {
  const index = new SightIndex();
  const all = { type, from: '', source: undefined, tag: undefined };
  for (const { part, table, index: at, name } of mergeNames(sight.parts, all)) {
    const row = table.latestOf(at);
    if (row >= 0) index.append(name, recallFacts(type, name, { part, table, row, isLatest: true }));
  }
  return index;
}

function factsOfName(sight: Sight, type: EntryType, name: string) {
  const latest = findVersion(sight, type, name, 'latest', false);
  return latest && recallFacts(type, name, latest);
}
