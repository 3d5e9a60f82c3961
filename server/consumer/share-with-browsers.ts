import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../app-context.ts';
import { CORS_HEADERS } from '../http/cors.ts';
import { asWebResponse } from '../http/web-answer.ts';
import { answerPreflight } from './consumer.ts';

/** CORS for a path of the consumer API that the app answers: a preflight needs no token, errors are readable too. */
export const shareWithBrowsers: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.method === 'OPTIONS') return asWebResponse(answerPreflight());
  await next();
  for (const [name, value] of Object.entries(CORS_HEADERS)) c.res.headers.set(name, value);
  return undefined;
};
