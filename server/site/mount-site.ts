import type { Context, Hono } from 'hono';
import type { AppEnv } from '../app-context.ts';
import type { Identity } from '../auth/identity.ts';
import { internalError } from '../consumer/answer-consumer.ts';
import { baseUrl } from '../consumer/list-registries.ts';
import { decodePath } from '../http/decode-path.ts';
import { HttpError } from '../http/problem.ts';
import { readBody } from '../http/read-body.ts';
import { asWebRequest, asWebResponse } from '../http/web-answer.ts';
import type { Log } from '../observe/log.ts';
import type { RegistryService } from '../registry-service.ts';
import type { World } from '../view/world.ts';
import type { BuiltSite } from './built-site.ts';
import { callApi } from './call-api.ts';
import type { CatalogReader } from './catalog-reader.ts';
import type { ReadSession, Session } from './read-session.ts';
import { renderAnswer } from './render-answer.ts';
import type { PageProblem, SiteLocals } from './site-locals.ts';
import { describeSitePath, takesForms } from './site-route.ts';

export interface SiteDeps {
  /** Opens the built pages; undefined when they were not built. */
  readonly openSite: () => Promise<BuiltSite | undefined>;
  readonly service: Pick<RegistryService, 'world'>;
  readonly readSession: ReadSession;
  readonly log: Log;
  readonly createCatalogReader: (from: {
    readonly world: World;
    readonly identity: Identity | undefined;
    readonly baseUrl: string;
  }) => CatalogReader;
  readonly now?: () => number;
}

/** Where a refused page is rendered; no request leads there. */
const PROBLEM_PAGE = '/site-problem';
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
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') throw notAllowed('GET, HEAD');
  return asWebResponse(answer, c.req.method);
}

/** Relative, so that it also holds behind a proxy that serves us below a path of its own. */
function redirectToFolder(path: string): Response {
  const last = encodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  return asWebResponse({ status: 302, headers: { Location: `${last}/`, 'Cache-Control': 'no-cache' } });
}

async function answerPage(
  c: Context<AppEnv>,
  app: Hono<AppEnv>,
  deps: SiteDeps,
  site: BuiltSite,
  path: string,
): Promise<Response> {
  const runtime = c.get('runtime');
  const session = await deps.readSession(c.req.raw, runtime);
  if (session.identity) c.set('identity', session.identity);
  const address = c.env?.incoming?.socket.remoteAddress ?? '';
  await runtime.countRequest?.(session.identity?.anonymous ? undefined : session.identity?.subject, address);
  const render = (request: Request, problem?: PageProblem) =>
    site.renderPage(request, makeLocals(c, app, deps, session, problem));
  try {
    const response = await render(await takeRequest(c, path));
    return await renderAnswer(c.req.raw, response, session);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const problem = { status: error.status, code: error.code, detail: error.message };
    const response = await render(new Request(new URL(PROBLEM_PAGE, c.req.url)), problem);
    return renderAnswer(
      c.req.raw,
      new Response(response.body, { ...response, status: error.status }),
      session,
    );
  }
}

function makeLocals(
  c: Context<AppEnv>,
  app: Hono<AppEnv>,
  deps: SiteDeps,
  session: Session,
  problem: PageProblem | undefined,
): SiteLocals {
  const runtime = c.get('runtime');
  const base = baseUrl(runtime, c.req.url);
  return {
    title: runtime.loaded.config.site.title,
    baseUrl: base,
    viewer: session.viewer,
    catalog: deps.createCatalogReader({
      world: deps.service.world,
      identity: session.identity,
      baseUrl: base,
    }),
    api: (method, path, body) => callApi(app, c, session.authorization, { method, path, body }),
    now: deps.now ?? Date.now,
    requestId: c.get('requestId'),
    reportFailure: (error) => void internalError(deps.log, c.get('requestId'), error),
    ...(problem ? { problem } : {}),
  };
}

/** The request with its body read up to the limit, as pages know no limit. */
async function takeRequest(c: Context<AppEnv>, path: string): Promise<Request> {
  const { method, url, headers } = c.req.raw;
  if (method === 'GET' || method === 'HEAD') return new Request(url, { headers });
  if (!takesForms(path)) throw notAllowed('GET, HEAD');
  if (method !== 'POST') throw notAllowed('GET, HEAD, POST');
  const body = await readBody(c.req.raw, c.get('runtime').loaded.config.limits.maxBodyBytes);
  return new Request(url, { method, headers, body: Buffer.from(body) });
}

function notAllowed(allow: string): HttpError {
  return new HttpError(405, 'method_not_allowed', 'This page does not answer to that method.', {
    headers: { Allow: allow },
  });
}
