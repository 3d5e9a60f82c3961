/**
 * When versions of a bundle were first seen and last changed here. Kept beside the manifest, never in a bundle, so
 * that a bundle depends on its input alone. One row each, in the order servers then skills; milliseconds.
 */
export interface BundleTimes {
  readonly firstSeen: Float64Array;
  readonly changed: Float64Array;
  readonly statusChanged: Float64Array;
}

/** What is compared between two bundles of a source: rows in order with key, content digest and status. */
export interface TimedRows {
  readonly rowCount: number;
  /** type, name and version as one text. */
  keyOf(row: number): string;
  digestOf(row: number): number;
  statusOf(row: number): string;
}

/** Times for a source's first bundle: everything was seen now. */
export function startTimes(rowCount: number, now: number): BundleTimes {
  const filled = () => new Float64Array(rowCount).fill(now);
  return { firstSeen: filled(), changed: filled(), statusChanged: filled() };
}

/**
 * Times for the bundle that follows another: versions with the same content keep theirs, so `updated_since` answers
 * what changed and nothing else.
 */
export function carryTimes(
  before: TimedRows,
  times: BundleTimes,
  after: TimedRows,
  now: number,
): BundleTimes {
  const known = new Map<string, number>();
  for (let row = 0; row < before.rowCount; row++) known.set(before.keyOf(row), row);
  const next = startTimes(after.rowCount, now);
  for (let row = 0; row < after.rowCount; row++) {
    const old = known.get(after.keyOf(row));
    if (old === undefined) continue;
    next.firstSeen[row] = times.firstSeen[old] ?? now;
    if (after.digestOf(row) === before.digestOf(old)) next.changed[row] = times.changed[old] ?? now;
    if (after.statusOf(row) === before.statusOf(old))
      next.statusChanged[row] = times.statusChanged[old] ?? now;
  }
  return next;
}

const HASH_BYTES = 64;

/** The file form: the hash of the bundle the times belong to, then the three columns. */
export function packTimes(bundleHash: string, times: BundleTimes): Buffer {
  const columns = [times.firstSeen, times.changed, times.statusChanged].map((column) =>
    Buffer.from(column.buffer, column.byteOffset, column.byteLength),
  );
  return Buffer.concat([Buffer.from(bundleHash.padEnd(HASH_BYTES), 'latin1'), ...columns]);
}

/** Times out of their file; undefined when they belong to another bundle or do not fit its number of rows. */
export function unpackTimes(file: Uint8Array, bundleHash: string, rowCount: number): BundleTimes | undefined {
  const buffer = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (buffer.length !== HASH_BYTES + rowCount * 24) return undefined;
  if (buffer.toString('latin1', 0, HASH_BYTES).trimEnd() !== bundleHash) return undefined;
  const column = (index: number) => {
    const copy = new Uint8Array(rowCount * 8);
    copy.set(buffer.subarray(HASH_BYTES + index * rowCount * 8, HASH_BYTES + (index + 1) * rowCount * 8));
    return new Float64Array(copy.buffer);
  };
  return { firstSeen: column(0), changed: column(1), statusChanged: column(2) };
}
