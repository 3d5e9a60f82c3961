import { type RewriteLink, rewriteHtml } from './rewrite-html.ts';

const START = /<meta charset=[^>]*>|<head(?:\s[^>]*)?>(?!\s*<meta charset)/i;

/**
 * A page as a file: its links rewritten, and with the policy that nobody sends along with a file. What holds only in a
 * header is left out of it, as browsers complain of it elsewhere.
 * @param writePolicy the Content-Security-Policy of the page as it will be
 */
export function finishPage(
  html: string,
  rewrite: RewriteLink,
  writePolicy: (html: string) => string,
): string {
  const page = rewriteHtml(html, rewrite);
  const policy = writePolicy(page).replace(/; frame-ancestors [^;]*/, '');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return page.replace(START, (start) => start + meta);
}
