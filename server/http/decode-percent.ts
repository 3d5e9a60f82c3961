const OUTSIDE_URI = /[^\x21-\x7e]/;

/**
 * Decodes percent-encoded UTF-8 strictly; undefined when the encoding is broken, the bytes are not UTF-8, a raw
 * character may not stand in a URI, or the text would hold a NUL (which no store takes).
 */
export function decodePercent(raw: string): string | undefined {
  if (OUTSIDE_URI.test(raw)) return undefined;
  if (!raw.includes('%')) return raw;
  try {
    const text = decodeURIComponent(raw);
    return text.includes('\0') ? undefined : text;
  } catch {
    // decodeURIComponent throws for nothing but a malformed sequence, which is what undefined says.
    return undefined;
  }
}
