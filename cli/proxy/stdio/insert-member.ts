import type { Span } from '../json/find-spans.ts';
import { skipSpace } from '../json/skip-value.ts';
import type { Edit } from '../json/splice.ts';

/** Puts a member first into an object; undefined when the span is no object. @param member `"name":value` */
export function insertMember(bytes: Buffer, object: Span, member: string): Edit | undefined {
  if (bytes[object.start] !== 0x7b) return undefined;
  const at = object.start + 1;
  const isEmpty = bytes[skipSpace(bytes, at, object.end)] === 0x7d;
  return { start: at, end: at, text: isEmpty ? member : `${member},` };
}
