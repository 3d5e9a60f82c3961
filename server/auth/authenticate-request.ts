import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../app-context.ts';
import { HttpError } from '../http/problem.ts';
import { asWebRequest } from '../http/web-answer.ts';
import type { Metrics } from '../observe/metrics.ts';
import { OTHER_ROUTE } from '../observe/observed.ts';
import { isFailure } from './identity.ts';

/**
 * Establishes who calls, for everything behind it; refuses with a challenge (specification 5.6).
 * @param isOpen paths that are answered before and after sign-in alike, such as documentation
 */
export function authenticate(metrics: Metrics, isOpen: (path: string) => boolean): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const runtime = c.get('runtime');
    const { path } = asWebRequest(c.req.raw);
    if (isOpen(path)) return next();
    const result = await runtime.authenticator.authenticate(c.req.header('authorization'), path);
    if (isFailure(result)) {
      metrics.countAuthFailure(result.reason);
      c.get('observed').happened = { route: OTHER_ROUTE, event: { type: 'auth.unauthenticated' } };
      throw new HttpError(401, 'unauthenticated', result.description, {
        headers: { 'WWW-Authenticate': runtime.authenticator.challenge(result) },
      });
    }
    c.set('identity', result);
    const address = c.env?.incoming?.socket.remoteAddress ?? '';
    if (!c.env?.isCounted)
      await runtime.countRequest?.(result.anonymous ? undefined : result.subject, address);
    return next();
  };
}
