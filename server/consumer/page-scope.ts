import type { EntryType } from '../../sources/model/entry.ts';
import type { NameChange } from '../../sources/model/entry-table.ts';
import type { Sight } from '../view/registry-view.ts';

/** The entries an answer was made of: no change of any other one changes it. Absent ends are open. */
export interface PageScope {
  readonly type: EntryType;
  readonly from?: string;
  /** Inclusive. */
  readonly to?: string;
}

/** The segments an answer was made of, as they were then. */
export interface PageBasis {
  readonly source: string;
  readonly generation: number;
}

export function basisOf({ parts }: Sight): readonly PageBasis[] {
  return parts.map(({ segment: { source, generation } }) => ({ source, generation }));
}

/**
 * Would an answer that was made for a caller with the same sight key be made in the same way now? So it is when all
 * that changed since are names of managed sources outside of its scope: a publish costs what it touches, not all pages
 * that are remembered.
 * @param sight whose `key` is that of the sight it was made for
 */
export function stillHolds(scope: PageScope, basis: readonly PageBasis[], { parts }: Sight): boolean {
  return (
    parts.length === basis.length &&
    parts.every(({ segment }, index) => {
      const before = basis[index];
      if (before?.source !== segment.source) return false;
      if (before.generation === segment.generation) return true;
      const changes = segment.changesSince?.(before.generation);
      return changes !== undefined && !changes.some((change) => isInside(scope, change));
    })
  );
}

function isInside({ type, from, to }: PageScope, change: NameChange): boolean {
  return (
    change.type === type &&
    (from === undefined || change.name >= from) &&
    (to === undefined || change.name <= to)
  );
}
