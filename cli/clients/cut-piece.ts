/** The text without a piece that stands in it exactly once; undefined when it does not. */
export function cutPiece(text: string, piece: string | null | undefined): string | undefined {
  if (!piece) return undefined;
  const at = text.indexOf(piece);
  if (at < 0 || text.indexOf(piece, at + 1) >= 0) return undefined;
  return text.slice(0, at) + text.slice(at + piece.length);
}

/** `\r\n` when the text has it, else `\n`. */
export function findEol(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
