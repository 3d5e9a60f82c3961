import type { Context, Hono } from 'hono';
import type { AppEnv } from '../app-context.ts';
import { isPublicPath } from '../auth/public-path.ts';
import type { Answer } from '../http/answer.ts';
import { CORS_HEADERS, PREFLIGHT_HEADERS } from '../http/cors.ts';
import { HttpError } from '../http/problem.ts';
import { Rendered } from '../http/rendered.ts';
import { asWebResponse } from '../http/web-answer.ts';
import { writeApiPage } from './api-page.ts';
import { API_PAGE_SCRIPT } from './api-page-script.ts';
import { writeLandingPage } from './landing-page.ts';
import { LANDING_SCRIPT } from './landing-script.ts';
import { LANDING_STYLE } from './landing-style.ts';
import { allowStyle, writePagePolicy } from './page-policy.ts';
import { makeAsset } from './served-asset.ts';
import { SERVICE_ICON } from './service-icon.ts';
import { createViewerReader } from './viewer-assets.ts';

const EXACT = new Set(['/', '/openapi.json', '/favicon.ico', '/docs']);

/**
 * Whether a request path belongs to the pages and the API description, which are there before and after sign-in alike.
 * @param path as received, without the query
 */
export function isDocsPath(path: string): boolean {
  return EXACT.has(path) || path.startsWith('/docs/');
}

/**
 * Mounts `/openapi.json` (specification 4), the live API page `/docs/api` and the landing page `/`. Pages ask no other
 * host for anything. `site.enabled: false` turns the pages off, not the document.
 * @param openapi the document as JSON text
 */
export function mountDocs(
  app: Hono<AppEnv>,
  openapi: () => string,
  readViewer: ReturnType<typeof createViewerReader> = createViewerReader(),
): void {
  const started = Date.now();
  const own = {
    icon: makeAsset('icon.svg', SERVICE_ICON, started),
    landing: makeAsset('landing.js', LANDING_SCRIPT, started),
    api: makeAsset('api.js', API_PAGE_SCRIPT, started),
  };
  const renderDocument = keepLast((text: string) => {
    const headers = { ...CORS_HEADERS, 'Cache-Control': 'public, no-cache', Vary: 'Accept-Encoding' };
    return new Rendered(Buffer.from(text), {
      contentType: 'application/json',
      lastModified: started,
      headers,
    });
  });
  const renderLanding = keepLast((html: string) =>
    renderPage(html, started, writePagePolicy([allowStyle(LANDING_STYLE)])),
  );
  const renderApi = keepLast((html: string) =>
    renderPage(html, started, writePagePolicy(["'unsafe-inline'"])),
  );

  app.options('/openapi.json', () =>
    asWebResponse({ status: 204, headers: { ...CORS_HEADERS, ...PREFLIGHT_HEADERS } }),
  );
  app.get('/openapi.json', (c) => send(c, '/openapi.json', renderDocument(openapi())));

  app.get('/', (c) => {
    const { title } = requireSite(c);
    const html = writeLandingPage({
      title,
      needsToken: needsToken(c),
      script: `docs/assets/${own.landing.address}`,
      icon: `docs/assets/${own.icon.address}`,
    });
    return send(c, '/', renderLanding(html));
  });
  app.get('/favicon.ico', (c) => send(c, '/favicon.ico', own.icon.rendered));
  app.get('/docs', (c) => {
    requireSite(c);
    return redirect('docs/api');
  });
  app.get('/docs/', (c) => {
    requireSite(c);
    return redirect('api');
  });
  app.get('/docs/api', async (c) => {
    const { title } = requireSite(c);
    const viewer = await readViewer();
    const html = writeApiPage({
      title,
      viewerStyle: `assets/${viewer.style.address}`,
      viewerScript: `assets/${viewer.script.address}`,
      startScript: `assets/${own.api.address}`,
      icon: `assets/${own.icon.address}`,
    });
    return send(c, '/docs/api', renderApi(html));
  });
  app.get('/docs/assets/:digest/:file', async (c) => {
    requireSite(c);
    const address = `${c.req.param('digest')}/${c.req.param('file')}`;
    const mine = Object.values(own).find((asset) => asset.address === address);
    const found = mine ?? Object.values(await readViewer()).find((asset) => asset.address === address);
    if (!found) throw new HttpError(404, 'asset_not_found', 'There is no such file: reload the page.');
    return send(c, '/docs/assets/{digest}/{file}', found.rendered);
  });

  for (const path of [...EXACT, '/docs/', '/docs/api', '/docs/assets/:digest/:file']) {
    app.all(path, () => {
      const allow = path === '/openapi.json' ? 'GET, HEAD, OPTIONS' : 'GET, HEAD';
      throw new HttpError(405, 'method_not_allowed', 'This can only be read.', { headers: { Allow: allow } });
    });
  }
}

/** @throws HttpError 404 `site_disabled` */
function requireSite(c: Context<AppEnv>): { readonly title: string } {
  const { site } = c.get('runtime').loaded.config;
  if (!site.enabled) throw new HttpError(404, 'site_disabled', 'The pages of this service are turned off.');
  return site;
}

function needsToken(c: Context<AppEnv>): boolean {
  const { auth } = c.get('runtime').loaded.config;
  if (auth?.mode === 'anonymous') return false;
  return !isPublicPath('/registry', [...(auth?.publicPaths ?? []), ...(auth?.oauth?.publicPaths ?? [])]);
}

function renderPage(html: string, lastModified: number, policy: string): Rendered {
  return new Rendered(Buffer.from(html), {
    contentType: 'text/html; charset=utf-8',
    lastModified,
    headers: { 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' },
  });
}

function send(c: Context<AppEnv>, route: string, rendered: Rendered): Response {
  c.get('observed').happened = { route };
  const answer: Answer = rendered.answer(c.req.header('accept-encoding'), c.req.header('if-none-match'));
  return asWebResponse(answer, c.req.method);
}

/** Relative, so that it also holds behind a proxy that serves us below a path of its own. */
function redirect(to: string): Response {
  return asWebResponse({ status: 302, headers: { Location: to, 'Cache-Control': 'no-cache' } });
}

/** Renders again only when the text differs from the last one, as after a reload of the configuration. */
function keepLast(render: (text: string) => Rendered): (text: string) => Rendered {
  let last: { readonly text: string; readonly rendered: Rendered } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, rendered: render(text) };
    return last.rendered;
  };
}
