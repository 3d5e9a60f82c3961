import { Hono } from 'hono';
import type { AdminRoute } from './admin/admin-route.ts';
import { mountAdmin } from './admin/mount-admin.ts';
import type { AppEnv } from './app-context.ts';
import { authenticate } from './auth/authenticate-request.ts';
import { describeProtectedResource, METADATA_PATH } from './auth/protected-resource-metadata.ts';
import { answerConsumer, internalError } from './consumer/answer-consumer.ts';
import { listRegistries } from './consumer/list-registries.ts';
import { shareWithBrowsers } from './consumer/share-with-browsers.ts';
import { isDocsPath, mountDocs } from './docs/mount-docs.ts';
import { mountHooks } from './hooks/mount-hooks.ts';
import type { Answer } from './http/answer.ts';
import { answerProblem, HttpError } from './http/problem.ts';
import { refuseMethod } from './http/read-only.ts';
import { asWebRequest, asWebResponse } from './http/web-answer.ts';
import type { Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import { observe } from './observe/observe-request.ts';
import type { RegistryService } from './registry-service.ts';
import type { Runtime } from './runtime.ts';
import type { BuiltSite } from './site/built-site.ts';
import { mountSite } from './site/mount-site.ts';
import { createSignIn } from './site/sign-in/create-sign-in.ts';

export interface AppDeps {
  readonly runtime: () => Runtime;
  readonly service: RegistryService;
  readonly adminRoutes: readonly AdminRoute[];
  readonly log: Log;
  readonly metrics: Metrics;
  /** The OpenAPI document as JSON text. */
  readonly openapi: () => string;
  /** Opens the built pages; undefined when they were not built. */
  readonly openSite: () => Promise<BuiltSite | undefined>;
}

/** The whole HTTP surface of the main port. What is mounted before `authenticate` needs no token. */
export function createApp(deps: AppDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.onError((error, c) => {
    const known = error instanceof HttpError ? error : internalError(deps.log, c.get('requestId'), error);
    const problem = answerProblem(known, c.get('requestId'));
    return asWebResponse(known.status === 401 ? withChallenge(problem, c.get('runtime'), known) : problem);
  });
  app.notFound(() => {
    throw new HttpError(404, 'route_not_found', 'There is nothing at this path.');
  });

  app.all('/registry/*', async (c, next) => {
    // The pattern also matches `/registry`, which is a list of its own.
    if (c.req.path === '/registry') return next();
    const address = c.env.incoming?.socket.remoteAddress ?? '';
    const request = asWebRequest(c.req.raw);
    const requestId = request.header('x-request-id') ?? '';
    return asWebResponse(
      await answerConsumer(deps.runtime(), deps, request, requestId, address),
      c.req.method,
    );
  });

  app.use(observe(deps.runtime));
  mountHooks(app, deps.service);
  mountSite(app, {
    openSite: deps.openSite,
    service: deps.service,
    signIn: createSignIn({ log: (level, fields, message) => deps.log[level](fields, message) }),
    log: deps.log,
  });
  mountDocs(app, deps.openapi);
  app.use('/registry', shareWithBrowsers);
  app.use(authenticate(deps.metrics, isDocsPath));

  app.get(METADATA_PATH, (c) => c.json(metadataOf(c.get('runtime'))));
  app.get(`${METADATA_PATH}/registry/:name`, (c) =>
    c.json(metadataOf(c.get('runtime'), c.req.param('name'))),
  );
  app.get('/registry', (c) => listRegistries(c, deps.service));
  for (const path of [METADATA_PATH, `${METADATA_PATH}/registry/:name`]) app.all(path, refuseMethod());
  app.all('/registry', refuseMethod('GET, HEAD, OPTIONS'));
  mountAdmin(app, deps.adminRoutes);
  return app;
}

/** Every 401 tells where to sign in, also `GET /v1/me` in anonymous mode (contract 6). */
function withChallenge(problem: Answer, runtime: Runtime, error: HttpError): Answer {
  const challenge = runtime.authenticator.challenge({
    failure: 'invalid_request',
    description: error.message,
    reason: 'missing',
  });
  return { ...problem, headers: { 'WWW-Authenticate': challenge, ...problem.headers } };
}

function metadataOf(runtime: Runtime, registry?: string): object {
  const { oauth, mode } = runtime.loaded.config.auth ?? {};
  if (!oauth || mode === 'anonymous') {
    throw new HttpError(404, 'not_protected', 'This registry runs without authentication.');
  }
  return describeProtectedResource(oauth, registry);
}
