import type { Span } from './find-spans.ts';
import { skipSpace, skipValue } from './skip-value.ts';

/**
 * Where the elements of an array stand.
 *
 * @param span of the array, as `findSpan` answered it
 * @returns one span for each element in order; none when the value is no array or not valid JSON
 */
export function listElements(bytes: Buffer, span: Span): Span[] {
  const elements: Span[] = [];
  let at = skipSpace(bytes, span.start, span.end);
  if (at >= span.end || bytes[at] !== 0x5b) return [];
  at = skipSpace(bytes, at + 1, span.end);
  if (at < span.end && bytes[at] === 0x5d) return [];
  for (;;) {
    const after = skipValue(bytes, at, span.end);
    if (after < 0) return [];
    elements.push({ start: at, end: after });
    at = skipSpace(bytes, after, span.end);
    if (at >= span.end) return [];
    if (bytes[at] === 0x5d) return elements;
    if (bytes[at] !== 0x2c) return [];
    at = skipSpace(bytes, at + 1, span.end);
  }
}
