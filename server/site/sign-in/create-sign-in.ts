import { type Identity, isFailure } from '../../auth/identity.ts';
import type { AuthLog } from '../../auth/provider.ts';
import { HttpError } from '../../http/problem.ts';
import type { Runtime } from '../../runtime.ts';
import { beginSignIn } from './begin-sign-in.ts';
import { describeCause, explainFailure } from './explain-failure.ts';
import { finishSignIn, type SignedIn } from './finish-sign-in.ts';
import { finishSignOut } from './finish-sign-out.ts';
import { readForm } from './read-form.ts';
import { readViewerSession, type ViewerSession } from './read-viewer-session.ts';
import { createSessionRefresher } from './session-refresher.ts';
import { type ContextDeps, createContextFinder, type SignInContext } from './sign-in-context.ts';

export interface SignInDeps extends Partial<ContextDeps> {
  /** Lines hold no token. */
  readonly log: AuthLog;
}

export interface SignedOut {
  readonly response: Response;
  /** Who it was; undefined for whoever was not signed in. */
  readonly identity: Identity | undefined;
}

/** Sign-in to the site (authorization code flow), its sessions, and their end. */
export interface SignIn {
  /**
   * `GET /sign-in?return=/path`: sends the browser to the provider.
   * @throws HttpError `sign_in_not_configured`, `sign_in_unavailable`
   */
  begin(request: Request, runtime: Runtime): Promise<Response>;
  /**
   * `GET /sign-in/callback`: takes the provider's answer, starts the session and leads back.
   * @throws HttpError `sign_in_not_configured`, `sign_in_expired`, `sign_in_refused`, `sign_in_failed`,
   *   `sign_in_unavailable`; some with a `Set-Cookie` header, which is to be sent
   */
  finish(request: Request, runtime: Runtime): Promise<SignedIn>;
  /**
   * `POST /sign-out`, a form with the field `csrf`: ends the session here and at the provider.
   * @throws HttpError `sign_in_not_configured`, `csrf_refused`, `form_expected`
   */
  signOut(request: Request, runtime: Runtime): Promise<SignedOut>;
  /**
   * Who looks at a page. Never throws for a bad session or token.
   * @param path what is about to be read of the API (public paths need no token); `/registry` when absent
   */
  readSession(request: Request, runtime: Runtime, path?: string): Promise<ViewerSession>;
}

const API_PATH = '/registry';
/** Of no registry: a token is judged where none is public. */
const JUDGED_PATH = '/v1/me';
const MAX_FORM_BYTES = 16_384;

/** Creates the sign-in of the site. Nothing is asked of a provider before somebody signs in. */
export function createSignIn({ log, now = Date.now, fetchFor }: SignInDeps): SignIn {
  const find = createContextFinder({ now, fetchFor });
  const refresher = createSessionRefresher(now, log);
  const require = (request: Request, runtime: Runtime): SignInContext => {
    const context = find(request, runtime);
    if (context !== undefined) return context;
    throw new HttpError(404, 'sign_in_not_configured', 'Nobody signs in to the pages of this service.');
  };
  const report = (error: unknown): HttpError => {
    const explained = explainFailure(error);
    const fields = { code: explained.code, error: describeCause(explained.cause ?? explained) };
    log(explained.status >= 500 ? 'warn' : 'info', fields, 'a sign-in to the site failed');
    return explained;
  };
  const readSession: SignIn['readSession'] = (request, runtime, path = API_PATH) =>
    readViewerSession(request, runtime, find(request, runtime), path, { refresher, now });
  const judge = ({ authenticator }: Runtime, token: string) =>
    authenticator.authenticate(`Bearer ${token}`, JUDGED_PATH);
  return {
    readSession,
    async begin(request, runtime) {
      try {
        return await beginSignIn(request, require(request, runtime), now());
      } catch (error) {
        throw report(error);
      }
    },
    async finish(request, runtime) {
      try {
        const context = require(request, runtime);
        return await finishSignIn(request, context, (token) => judge(runtime, token), now());
      } catch (error) {
        throw report(error);
      }
    },
    async signOut(request, runtime) {
      const context = require(request, runtime);
      const form = await readForm(request, MAX_FORM_BYTES);
      const onTrouble = (error: unknown) =>
        log('warn', { error: describeCause(error) }, 'a refresh token could not be revoked');
      const { response, session } = await finishSignOut(request, form, context, now(), onTrouble);
      const identity = session && (await judge(runtime, session.accessToken));
      return { response, identity: identity && !isFailure(identity) ? identity : undefined };
    },
  };
}
