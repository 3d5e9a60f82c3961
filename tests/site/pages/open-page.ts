import { createAdminPages } from '../../../server/site/admin/admin-pages.ts';
import { openBuiltSite } from '../../../server/site/built-site.ts';
import type { SiteLocals, Viewer } from '../../../server/site/site-locals.ts';
import { makeCatalog } from './fake-catalog.ts';
import { type PageDocument, readDocument } from './page-document.ts';

export const SIGNED_IN: Viewer = {
  kind: 'signed-in',
  name: 'Rosa',
  subject: 'rosa',
  claims: { org: ['acme'], team: ['data', 'platform'] },
  roles: ['superAdmin'],
  unrestricted: true,
  expiresAt: Date.UTC(2026, 2, 3, 15),
  canSignIn: true,
  csrf: 'token-of-forms',
};
export const STRANGER: Viewer = {
  ...SIGNED_IN,
  ...{ kind: 'stranger', name: '', subject: '', claims: {}, roles: [], csrf: '' },
  ...{ unrestricted: false, expiresAt: undefined },
};

export interface OpenedPage extends PageDocument {
  readonly status: number;
  readonly headers: Headers;
}

/** Renders a page of the built site. */
export async function openPage(path: string, changes: Partial<SiteLocals> = {}): Promise<OpenedPage> {
  const site = await openBuiltSite();
  if (!site) throw new Error('the site is not built: run `npm run build`');
  const given = { viewer: SIGNED_IN, catalog: makeCatalog(), ...changes };
  const api: SiteLocals['api'] = async () => ({ status: 404, body: undefined });
  let failure: unknown;
  const response = await site.renderPage(new Request(new URL(path, 'https://mcp.example.com')), {
    title: 'Acme registry',
    baseUrl: 'https://mcp.example.com',
    admin: createAdminPages({ api, ...given }),
    api,
    now: () => Date.UTC(2026, 2, 3),
    requestId: 'request-1',
    reportFailure: (error) => {
      failure = error;
    },
    ...given,
  });
  const html = await response.text();
  if (failure !== undefined && changes.reportFailure === undefined)
    throw new Error(`${path} was not rendered`, { cause: failure });
  return { status: response.status, headers: response.headers, ...readDocument(html) };
}
