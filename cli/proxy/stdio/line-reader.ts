/** What was thrown away of a line that was too long. */
export interface LongLine {
  /** Its first bytes. */
  readonly head: Buffer;
  readonly length: number;
}

const HEAD_BYTES = 4096;

/**
 * Cuts a stream of bytes into lines without their ends. Holds at most one line of `maxBytes`: of a longer one only the
 * beginning is kept, and reported when its end came.
 */
export function createLineReader(
  maxBytes: number,
  onLine: (line: Buffer) => void,
  onLong: (line: LongLine) => void,
): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let length = 0;
  let head: Buffer | undefined;
  const hold = (piece: Buffer): void => {
    length += piece.length;
    if (head !== undefined) return;
    held.push(piece);
    if (length <= maxBytes) return;
    head = Buffer.concat(held, Math.min(length, HEAD_BYTES));
    held = [];
  };
  const finish = (piece: Buffer): void => {
    if (length === 0 && piece.length <= maxBytes) {
      onLine(piece);
      return;
    }
    hold(piece);
    const line = head === undefined ? Buffer.concat(held) : undefined;
    const long = head === undefined ? undefined : { head, length };
    held = [];
    length = 0;
    head = undefined;
    if (line) onLine(line);
    if (long) onLong(long);
  };
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, from)) {
      finish(chunk.subarray(from, at));
      from = at + 1;
    }
    if (from < chunk.length) hold(chunk.subarray(from));
  };
}
