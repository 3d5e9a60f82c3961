import { BerthError, messageOf } from '../../../sources/errors.ts';
import { createAdminPages } from '../admin/admin-pages.ts';
import type { BuiltSite } from '../built-site.ts';
import type { CatalogReader } from '../catalog-reader.ts';
import type { SiteLocals } from '../site-locals.ts';

export interface PageRenderer {
  readonly site: Pick<BuiltSite, 'renderPage'>;
  readonly title: string;
  /** Where clients reach the service, without a slash at the end. */
  readonly serviceUrl: string;
  readonly catalog: CatalogReader;
  /** The service asks nobody for a token. */
  readonly isOpen: boolean;
  /** Milliseconds since the epoch: what pages take for now. */
  readonly now: number;
}

/**
 * Renders a page of the live site for the audience of an export.
 * @param path with its query
 * @throws BerthError `export_page_failed` for any other answer than `status`
 */
export async function renderExportedPage(
  { site, title, serviceUrl, catalog, isOpen, now }: PageRenderer,
  path: string,
  status = 200,
): Promise<string> {
  let failure: unknown;
  const viewer: SiteLocals['viewer'] = {
    ...{ kind: 'export', name: '', subject: '', claims: {}, roles: [], csrf: '' },
    ...{ unrestricted: isOpen, expiresAt: undefined, canSignIn: false },
  };
  // There is no service behind an export.
  const api: SiteLocals['api'] = async () => ({ status: 404, body: undefined });
  const locals: SiteLocals = {
    title,
    baseUrl: serviceUrl,
    viewer,
    catalog,
    admin: createAdminPages({ api, viewer, catalog }),
    api,
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
