/** Spellings a router may take for another path than the one compared here; such a path is never public. */
const AMBIGUOUS = /%(?:25)*(?:2f|2e|5c|00)|[\\#]|\.\.|\/\/|\/\.(?:\/|$)/i;
const ALWAYS = ['/.well-known'];

/**
 * Whether a request path is reachable without a token (specification 5.5): `/openapi.json`, everything below
 * `/.well-known/`, and everything at or below one of the configured paths. Prefixes end at a segment: `/docs` opens
 * `/docs/x`, not `/docs-internal`; `/` opens everything. Comparison is case-sensitive.
 * @param rawPath the path as received, percent-encoded, without the query
 * @param publicPaths as configured; `/docs`, `/docs/` and `/docs/*` mean the same
 */
export function isPublicPath(rawPath: string, publicPaths: readonly string[]): boolean {
  if (!rawPath.startsWith('/') || AMBIGUOUS.test(rawPath)) return false;
  if (rawPath === '/openapi.json') return true;
  return [...ALWAYS, ...publicPaths].some((configured) => covers(configured, rawPath));
}

function covers(configured: string, path: string): boolean {
  const prefix = configured.replace(/\/\*$/, '').replace(/\/+$/, '');
  return path === prefix || path.startsWith(`${prefix}/`);
}
