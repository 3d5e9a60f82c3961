import type { Found, Page, Position } from '../view/query.ts';

type Piece = Uint8Array | string;

/** A list body: items, then `metadata` with the count of this page and the cursor of the next. */
export function writeList(
  member: 'servers' | 'skills',
  page: Page,
  encodeNext: (after: Position) => string,
): Buffer {
  const pieces: Piece[] = [`{"${member}":[`];
  for (const [index, item] of page.items.entries()) {
    if (index > 0) pieces.push(',');
    addItem(pieces, item);
  }
  const next = page.next ? `,"nextCursor":"${encodeNext(page.next)}"` : '';
  pieces.push(`],"metadata":{"count":${page.items.length}${next}}}`);
  return join(pieces);
}

/** One item as its own body. */
export function writeItem(item: Found): Buffer {
  const pieces: Piece[] = [];
  addItem(pieces, item);
  return join(pieces);
}

function addItem(pieces: Piece[], { part, table, row, isLatest }: Found): void {
  pieces.push(...table.writeItem(row, isLatest), part.segment.origin, '}}');
}

function join(pieces: readonly Piece[]): Buffer {
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}
