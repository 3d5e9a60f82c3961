import { BerthError, messageOf } from '../../../sources/errors.ts';
import type { BuiltSite } from '../built-site.ts';
import type { CatalogReader } from '../catalog-reader.ts';
import { writePagePolicy } from '../page-policy.ts';
import type { SiteLocals } from '../site-locals.ts';
import { type RewriteLink, rewriteHtml } from './rewrite-html.ts';

export interface PageRenderer {
  readonly site: Pick<BuiltSite, 'renderPage'>;
  readonly title: string;
  /** Where clients reach the service, without a slash at the end. */
  readonly serviceUrl: string;
  readonly catalog: CatalogReader;
  /** Milliseconds since the epoch: what pages take for now. */
  readonly now: number;
}

/**
 * Renders a page of the live site for the audience of an export.
 * @param path with its query
 * @throws BerthError `export_page_failed` for any other answer than `status`
 */
export async function renderExportedPage(
  { site, title, serviceUrl, catalog, now }: PageRenderer,
  path: string,
  status = 200,
): Promise<string> {
  let failure: unknown;
  const locals: SiteLocals = {
    title,
    baseUrl: serviceUrl,
    viewer: {
      ...{ kind: 'export', name: '', subject: '', claims: {}, roles: [], csrf: '' },
      ...{ unrestricted: false, expiresAt: undefined, canSignIn: false },
    },
    catalog,
    // There is no service behind an export.
    api: async () => ({ status: 404, body: undefined }),
    now: () => now,
    requestId: '',
    reportFailure: (error) => {
      failure = error;
    },
  };
  const response = await site.renderPage(new Request(new URL(path, serviceUrl)), locals);
  const html = await response.text();
  if (response.status === status && failure === undefined) return html;
  const why = failure === undefined ? `it answers ${response.status}` : messageOf(failure);
  throw new BerthError('export_page_failed', `The page ${path} cannot be rendered: ${why}.`, {
    cause: failure,
  });
}

/**
 * A page as a file: its links rewritten, and with the policy that nobody sends along with a file. What only holds in a
 * header is left out of it, as browsers complain otherwise.
 */
export function finishPage(html: string, rewrite: RewriteLink): string {
  const page = rewriteHtml(html, rewrite);
  const policy = writePagePolicy(page).replace(/; frame-ancestors [^;]*/, '');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return page.replace(
    /<meta charset=[^>]*>|<head(?:\s[^>]*)?>(?!\s*<meta charset)/i,
    (start) => start + meta,
  );
}
