import type { Context, Hono } from 'hono';
import type { AppEnv } from '../app-context.ts';
import { internalError } from '../consumer/answer-consumer.ts';
import { baseUrl } from '../consumer/list-registries.ts';
import { HttpError } from '../http/problem.ts';
import { readBody } from '../http/read-body.ts';
import type { Log } from '../observe/log.ts';
import type { RegistryService } from '../registry-service.ts';
import { createAdminPages } from './admin/admin-pages.ts';
import type { BuiltSite } from './built-site.ts';
import { callApi } from './call-api.ts';
import { createCatalogReader } from './catalog/create-catalog-reader.ts';
import { checkPostedForm } from './check-posted-form.ts';
import type { Session } from './read-session.ts';
import { renderAnswer } from './render-answer.ts';
import { answerSignIn } from './sign-in/answer-sign-in.ts';
import type { SignIn } from './sign-in/create-sign-in.ts';
import type { PageProblem, SiteLocals, Viewer } from './site-locals.ts';
import { apiPathOf, takesForms } from './site-route.ts';

export interface PageDeps {
  readonly service: Pick<RegistryService, 'world'>;
  readonly signIn: SignIn;
  readonly log: Log;
  readonly now?: () => number;
}

/** Where a refused page is rendered; no request leads there. */
const PROBLEM_PAGE = '/site-problem';

/**
 * Renders the page of a request for whoever asks.
 * @param app answers the calls a page makes
 * @param path decoded
 */
export async function answerPage(
  c: Context<AppEnv>,
  app: Hono<AppEnv>,
  deps: PageDeps,
  site: BuiltSite,
  path: string,
): Promise<Response> {
  const session = await deps.signIn.readSession(c.req.raw, c.get('runtime'), apiPathOf(path));
  if (session.identity) c.set('identity', session.identity);
  const render = (request: Request, problem?: PageProblem) =>
    site.renderPage(request, makeLocals(c, app, deps, session, problem));
  try {
    await countRequest(c, session);
    const answered = await answerSignIn(c, deps.signIn);
    if (answered) return answered;
    const request = await takeRequest(c, path, session.viewer);
    return await renderAnswer(c.req.raw, await render(request), session);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { status, code, message, headers } = error;
    const page = await render(new Request(new URL(PROBLEM_PAGE, c.req.url)), {
      status,
      code,
      detail: message,
    });
    const told = new Response(page.body, { status, headers: page.headers });
    for (const [name, value] of Object.entries(headers)) told.headers.set(name, value);
    return renderAnswer(c.req.raw, told, session);
  }
}

async function countRequest(c: Context<AppEnv>, { identity }: Pick<Session, 'identity'>): Promise<void> {
  const address = c.env?.incoming?.socket.remoteAddress ?? '';
  await c.get('runtime').countRequest?.(identity?.anonymous ? undefined : identity?.subject, address);
}

function makeLocals(
  c: Context<AppEnv>,
  app: Hono<AppEnv>,
  { service, log, now = Date.now }: PageDeps,
  { viewer, identity, authorization }: Session,
  problem: PageProblem | undefined,
): SiteLocals {
  const runtime = c.get('runtime');
  const base = baseUrl(runtime, c.req.url);
  const catalog = createCatalogReader({ world: () => service.world, identity, baseUrl: base });
  const api: SiteLocals['api'] = (method, path, body) =>
    callApi(app, c, authorization, { method, path, body });
  return {
    title: runtime.loaded.config.site.title,
    baseUrl: base,
    viewer,
    catalog,
    admin: createAdminPages({ api, viewer, catalog }),
    api,
    now,
    requestId: c.get('requestId'),
    reportFailure: (error) => void internalError(log, c.get('requestId'), error),
    ...(problem ? { problem } : {}),
  };
}

/** The request with its body read up to the limit, as pages know no limit. */
async function takeRequest(c: Context<AppEnv>, path: string, viewer: Viewer): Promise<Request> {
  const { method, url, headers } = c.req.raw;
  if (method === 'GET' || method === 'HEAD') return new Request(url, { headers });
  const allow = takesForms(path) ? 'GET, HEAD, POST' : 'GET, HEAD';
  if (method !== 'POST' || !takesForms(path)) {
    throw new HttpError(405, 'method_not_allowed', 'This page does not answer to that method.', {
      headers: { Allow: allow },
    });
  }
  const body = await readBody(c.req.raw, c.get('runtime').loaded.config.limits.maxBodyBytes);
  const request = new Request(url, { method, headers, body: Buffer.from(body) });
  await checkPostedForm(request, viewer, baseUrl(c.get('runtime'), url));
  return request;
}
