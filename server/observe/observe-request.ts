import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../app-context.ts';
import { answerProblem, HttpError } from '../http/problem.ts';
import { chooseRequestId } from '../http/request-id.ts';
import { SECURITY_HEADERS } from '../http/security-headers.ts';
import { asWebRequest, asWebResponse } from '../http/web-answer.ts';
import { withTimeout } from '../http/with-timeout.ts';
import type { Runtime } from '../runtime.ts';
import { OTHER_ROUTE } from './observed.ts';

/** Surrounds every request of the app: id, time-out, security headers, metrics, trace, audit (contract 9, 11). */
export function observe(runtime: () => Runtime): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const current = runtime();
    const request = asWebRequest(c.req.raw);
    const requestId = chooseRequestId(request.header('x-request-id'));
    const recorded = current.recorder.start(request, requestId, c.env?.incoming?.socket.remoteAddress ?? '');
    c.set('runtime', current);
    c.set('requestId', requestId);
    c.set('observed', { happened: { route: OTHER_ROUTE } });
    try {
      await withTimeout(next(), current.loaded.config.limits.requestTimeout);
    } catch (error) {
      // Only the time-out comes this way: what handlers throw has become an answer already.
      if (!(error instanceof HttpError)) throw error;
      c.res = asWebResponse(answerProblem(error, requestId));
    }
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
    c.res.headers.set('X-Request-Id', requestId);
    recorded.identity = c.get('identity');
    const length = Number(c.res.headers.get('content-length') ?? 0);
    current.recorder.finish(recorded, c.get('observed').happened, c.res.status, length);
  };
}
