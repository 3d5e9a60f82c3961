import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../app-context.ts';
import { chooseRequestId } from '../http/request-id.ts';
import { SECURITY_HEADERS } from '../http/security-headers.ts';
import { asWebRequest } from '../http/web-answer.ts';
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
    await withTimeout(next(), current.loaded.config.limits.requestTimeout);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
    c.res.headers.set('X-Request-Id', requestId);
    recorded.identity = c.get('identity');
    const length = Number(c.res.headers.get('content-length') ?? 0);
    current.recorder.finish(recorded, c.get('observed').happened, c.res.status, length);
  };
}
