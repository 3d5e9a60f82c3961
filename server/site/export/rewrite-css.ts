const REFERENCE = /(url\(\s*["']?|@import\s+["'])(\/(?!\/)[^"')\s]*)/gi;

/** Rewrites the root-relative references of a style sheet. */
export function rewriteCss(css: string, rewrite: (link: string) => string): string {
  return css.replace(REFERENCE, (_, start: string, link: string) => `${start}${rewrite(link)}`);
}
