import { lowerBound } from '../../sources/bundle/search-index.ts';
import type { EntryType } from '../../sources/model/entry.ts';
import type { EntryTable } from '../../sources/model/entry-table.ts';
import { isShadowed, seesName, tableOf } from './query.ts';
import type { SegmentSight } from './registry-view.ts';

/** A segment's names in order from some point: all of them, or the listed ones. */
interface Stream {
  readonly part: SegmentSight;
  readonly table: EntryTable;
  readonly listed: ArrayLike<number> | undefined;
  readonly end: number;
  at: number;
  name: string;
}

export interface NameInSegment {
  readonly part: SegmentSight;
  readonly table: EntryTable;
  readonly index: number;
  readonly name: string;
}

export interface MergeOptions {
  readonly type: EntryType;
  /** Start at the first name that is not before this one. */
  readonly from: string;
  /** Only names of this source (after shadowing). */
  readonly source: string | undefined;
  /** Only names that have this tag. */
  readonly tag: string | undefined;
}

/**
 * The visible names of a registry in order, each once, from the first segment that has it (contract 5, shadowing).
 * Costs what is read, not what the catalog holds.
 */
export function* mergeNames(parts: readonly SegmentSight[], options: MergeOptions): Generator<NameInSegment> {
  const narrowed = options.source !== undefined || options.tag !== undefined;
  const streams = parts
    .filter((part) => options.source === undefined || part.segment.source === options.source)
    .flatMap((part) => openStream(part, options) ?? []);
  for (const stream of streams) settle(stream);
  for (;;) {
    let first: Stream | undefined;
    for (const stream of streams) {
      if (stream.at < stream.end && (first === undefined || stream.name < first.name)) first = stream;
    }
    if (!first) return;
    const { part, table, name } = first;
    const index = indexAt(first);
    for (const stream of streams) {
      if (stream.at < stream.end && stream.name === name) {
        stream.at++;
        settle(stream);
      }
    }
    if (!narrowed || !isShadowed(parts, part, options.type, name)) yield { part, table, index, name };
  }
}

function openStream(part: SegmentSight, options: MergeOptions): Stream | undefined {
  const table = tableOf(part, options.type);
  const listed = options.tag === undefined ? undefined : table.namesTagged(options.tag);
  if (options.tag !== undefined && !listed) return undefined;
  const start = table.seek(options.from);
  return {
    part,
    table,
    listed,
    end: listed ? listed.length : table.nameCount,
    at: listed ? lowerBound(listed, start) : start,
    name: '',
  };
}

/** Moves a stream to its next visible name. */
function settle(stream: Stream): void {
  while (stream.at < stream.end) {
    const index = indexAt(stream);
    if (seesName(stream.part, stream.table, index)) {
      stream.name = stream.table.nameAt(index);
      return;
    }
    stream.at++;
  }
}

function indexAt(stream: Stream): number {
  return stream.listed ? (stream.listed[stream.at] ?? 0) : stream.at;
}
