import { toShareable } from './api-record.ts';
import { HEADER, type OverlayLine } from './overlay-line.ts';
import type { ReadOverlay } from './read-overlay.ts';

/**
 * An overlay as JSON lines: the header, sources, registries, entries. The same content gives the same lines, whichever
 * store it comes from.
 */
export function* writeLines({ entries, records }: ReadOverlay): Generator<string> {
  yield JSON.stringify(HEADER);
  const kinds = new Map([...new Set(records.map(({ kind }) => kind))].map((kind, index) => [kind, index]));
  const sortedRecords = records.toSorted(
    (a, b) => (kinds.get(a.kind) ?? 0) - (kinds.get(b.kind) ?? 0) || compare(a.name, b.name),
  );
  for (const record of sortedRecords) yield print({ record: toShareable(record) });
  const sorted = entries.toSorted(
    (a, b) => compare(a.source, b.source) || compare(a.type, b.type) || compare(a.name, b.name),
  );
  for (const { source, type, name, claims, claimsChangedAt, versions } of sorted) {
    const ordered = versions.toSorted((a, b) => compare(a.version, b.version));
    yield print({ entry: { source, type, name, claims, claimsChangedAt, versions: ordered } });
  }
}

function print(line: OverlayLine): string {
  return JSON.stringify(line);
}

/** Not by language: databases order names by rules of their own. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
