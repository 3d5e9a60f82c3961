import type { Context, Hono } from 'hono';
import type { AppEnv } from '../app-context.ts';
import { decodePath } from '../http/decode-path.ts';
import { HttpError } from '../http/problem.ts';
import { asWebRequest, asWebResponse } from '../http/web-answer.ts';
import { answerPage, type PageDeps } from './answer-page.ts';
import type { BuiltSite } from './built-site.ts';
import { describeSitePath } from './site-route.ts';

export interface SiteDeps extends PageDeps {
  /** Opens the built pages; undefined when they were not built. */
  readonly openSite: () => Promise<BuiltSite | undefined>;
}

const KEPT_FOR_THE_API_PAGE = /^\/docs\/(?:api|assets\/.*)$/;

/**
 * Mounts the site (contract 1, 2 `site`): guides and other files of the build, and pages that are rendered on request
 * with what the caller may see. Paths it does not know, and all of them when it was not built, are left to what is
 * mounted behind it.
 */
export function mountSite(app: Hono<AppEnv>, deps: SiteDeps): void {
  app.use(async (c, next) => {
    const path = readPath(c);
    const happened = path === undefined ? undefined : describeSitePath(path);
    if (path === undefined || !happened || KEPT_FOR_THE_API_PAGE.test(path)) return next();
    if (!c.get('runtime').loaded.config.site.enabled) return next();
    const site = await deps.openSite();
    if (!site) return next();
    c.get('observed').happened = happened;
    const file = await site.readFile(path);
    if (file)
      return answerFile(c, file.answer(c.req.header('accept-encoding'), c.req.header('if-none-match')));
    if (await site.readFile(`${path}/`)) return redirectToFolder(path);
    return answerPage(c, app, deps, site, path);
  });
}

function readPath(c: Context<AppEnv>): string | undefined {
  try {
    return `/${decodePath(asWebRequest(c.req.raw).path).join('/')}`;
  } catch {
    // Not percent-encoded text: no page has such a path.
    return undefined;
  }
}

function answerFile(c: Context<AppEnv>, answer: Parameters<typeof asWebResponse>[0]): Response {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') throw notAllowed();
  return asWebResponse(answer, c.req.method);
}

/** Relative, so that it also holds behind a proxy that serves us below a path of its own. */
function redirectToFolder(path: string): Response {
  const last = encodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  return asWebResponse({ status: 302, headers: { Location: `${last}/`, 'Cache-Control': 'no-cache' } });
}

function notAllowed(): HttpError {
  return new HttpError(405, 'method_not_allowed', 'This can only be read.', {
    headers: { Allow: 'GET, HEAD' },
  });
}
