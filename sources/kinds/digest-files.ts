import { createHash } from 'node:crypto';

/** sha256 as hex. */
export function digestBytes(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** sha256 hex over (path, digest of content) pairs, in the order given. */
export function digestPairs(pairs: Iterable<readonly [path: string, digest: string]>): string {
  const hash = createHash('sha256');
  for (const [path, digest] of pairs) hash.update(`${path}\0${digest}\n`);
  return hash.digest('hex');
}

/** The file digests an origin shows; nothing above 100 files. */
export function showDigests(
  pairs: readonly (readonly [path: string, digest: string])[],
): { files: Record<string, string> } | Record<string, never> {
  return pairs.length > 100 ? {} : { files: Object.fromEntries(pairs) };
}
