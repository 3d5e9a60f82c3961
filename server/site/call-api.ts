import type { Context, Hono } from 'hono';
import type { AppEnv } from '../app-context.ts';
import type { ApiAnswer } from './site-locals.ts';

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/**
 * Calls this service's own API within the process, with the token of the viewer: a page can do no more than the token
 * allows, and what it does is in the audit log like any other call.
 */
export async function callApi(
  app: Hono<AppEnv>,
  c: Context<AppEnv>,
  authorization: string | undefined,
  { method, path, body }: ApiCall,
): Promise<ApiAnswer> {
  const headers = new Headers({ Accept: 'application/json', 'User-Agent': c.req.header('user-agent') ?? '' });
  if (authorization !== undefined) headers.set('Authorization', authorization);
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  const request = new Request(new URL(path, c.req.url), {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await app.fetch(request, { ...c.env, isCounted: true });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}
