/** Puts `text` in the place of the bytes from `start` to before `end`; inserts when both are the same. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string | Uint8Array;
}

/**
 * Replaces pieces of a text and leaves every other byte as it is.
 *
 * @param edits in any order; where two insert at one place they keep their order. They must not overlap.
 * @returns the same buffer when there is nothing to change
 * @throws RangeError when edits overlap or lie outside: a mistake of the caller
 */
export function splice(bytes: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return bytes;
  const sorted = edits.length === 1 ? edits : [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const edit of sorted) {
    if (edit.start < at || edit.end < edit.start || edit.end > bytes.length) {
      throw new RangeError(`The edit ${edit.start} to ${edit.end} overlaps another or lies outside.`);
    }
    pieces.push(bytes.subarray(at, edit.start));
    pieces.push(typeof edit.text === 'string' ? Buffer.from(edit.text) : edit.text);
    at = edit.end;
  }
  pieces.push(bytes.subarray(at));
  return Buffer.concat(pieces);
}
