const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * Whether a conditional GET may be answered 304 (contract 5, RFC 9110 section 13.1.2): weak comparison, lists, `*`.
 * @param ifNoneMatch the `If-None-Match` header as received
 * @param etag the entity tag of the answer, with its quotes
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  const opaque = etag.startsWith('W/') ? etag.slice(2) : etag;
  for (const match of ifNoneMatch.matchAll(ENTITY_TAG)) {
    if (match[1] === opaque) return true;
  }
  return false;
}
