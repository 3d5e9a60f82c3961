import type { Config } from '../../sources/config/schema.ts';
import { compareBundles } from '../../sources/diff/compare-bundles.ts';
import { compareSights, type SightChange } from '../../sources/diff/compare-sights.ts';
import type { EntryChange } from '../../sources/diff/entry-change.ts';
import { listClaimsSets } from '../../sources/diff/list-claims-sets.ts';
import { listSingleHolders } from '../../sources/diff/list-single-holders.ts';
import {
  type ClaimSet,
  type Claims,
  claimsKey,
  normalizeClaims,
  writeClaims,
} from '../../sources/model/claims.ts';
import type { ComparedState } from './compared-state.ts';
import { createSightReader } from './compute-sights.ts';

/** Of what the callers with exactly these claims gain or lose sight. */
export interface CallerChange {
  readonly claims: Claims;
  readonly registries: readonly SightChange[];
}

export interface StateDifference {
  readonly before: string;
  readonly after: string;
  readonly entries: readonly EntryChange[];
  /** Callers without a change are left out. */
  readonly callers: readonly CallerChange[];
  readonly notes: readonly string[];
}

/**
 * Compares two states (contract 1, `diff`).
 * @param fallback the configuration for states that have none of their own
 */
export function compareStates(
  before: ComparedState,
  after: ComparedState,
  fallback: Config | undefined,
): StateDifference {
  const sources = [...new Set([...before.bundles.keys(), ...after.bundles.keys()])].sort();
  const entries = sources.flatMap((source) =>
    compareBundles(source, before.bundles.get(source), after.bundles.get(source)),
  );
  const [old, next] = [
    before.config?.config ?? fallback ?? after.config?.config,
    after.config?.config ?? fallback ?? before.config?.config,
  ];
  const notes = [...new Set([...before.notes, ...after.notes])];
  const labels = { before: before.label, after: after.label };
  if (!old || !next) {
    const note =
      'who gains and who loses sight is not said: bundles hold no claims; name the configuration with --config';
    return { ...labels, entries, callers: [], notes: [...notes, note] };
  }
  const readOld = createSightReader(before, old);
  const readNext = createSightReader(after, next);
  const compare = (set: ClaimSet) => compareSights(readOld(set), readNext(set));
  const sets = listClaimsSets([old, next]);
  const known = new Set(sets.map(claimsKey));
  const callers = sets.flatMap((set) => {
    const registries = compare(set);
    // Who holds one of several values is told apart only where it makes a difference.
    const single = listSingleHolders(set)
      .filter((holder) => !known.has(claimsKey(holder)))
      .map((holder) => describeCaller(holder, compare(holder)))
      .filter((caller) => JSON.stringify(caller.registries) !== JSON.stringify(registries));
    for (const { claims } of single) known.add(claimsKey(normalizeClaims(claims)));
    return [describeCaller(set, registries), ...single].filter((caller) => caller.registries.length > 0);
  });
  return { ...labels, entries, callers, notes };
}

function describeCaller(set: ClaimSet, registries: readonly SightChange[]): CallerChange {
  return { claims: writeClaims(set), registries };
}

export function isDifferent({ entries, callers }: StateDifference): boolean {
  return entries.length > 0 || callers.length > 0;
}
