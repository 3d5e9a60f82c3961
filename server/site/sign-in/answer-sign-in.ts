import type { Context } from 'hono';
import type { AppEnv } from '../../app-context.ts';
import { HttpError } from '../../http/problem.ts';
import { asWebRequest } from '../../http/web-answer.ts';
import type { SignIn } from './create-sign-in.ts';
import { CALLBACK_PATH, SIGN_IN_PATH, SIGN_OUT_PATH } from './sign-in-paths.ts';

/** The paths of the sign-in; everything else of the site is a page. */
const METHODS: Readonly<Record<string, string>> = {
  [SIGN_IN_PATH]: 'GET',
  [CALLBACK_PATH]: 'GET',
  [SIGN_OUT_PATH]: 'POST',
};

/**
 * Answers the paths of the sign-in, with their events for the audit log: who signed in or out, and whose attempt failed.
 * @returns undefined for any other path
 * @throws HttpError of `SignIn`; 405 `method_not_allowed`
 */
export async function answerSignIn(c: Context<AppEnv>, signIn: SignIn): Promise<Response | undefined> {
  const { path, method } = asWebRequest(c.req.raw);
  const allowed = METHODS[path];
  if (allowed === undefined) return undefined;
  const observed = c.get('observed');
  const runtime = c.get('runtime');
  observed.happened = { route: path };
  if (method !== allowed) {
    throw new HttpError(405, 'method_not_allowed', `This path takes ${allowed} only.`, {
      headers: { Allow: allowed },
    });
  }
  if (path === SIGN_IN_PATH) return signIn.begin(c.req.raw, runtime);
  const type = path === CALLBACK_PATH ? 'auth.sign_in' : 'auth.sign_out';
  observed.happened = { route: path, event: { type } };
  const end = path === CALLBACK_PATH ? signIn.finish : signIn.signOut;
  const { response, identity } = await end(c.req.raw, runtime);
  if (identity !== undefined) c.set('identity', identity);
  return response;
}
