import { type AuthFailure, type Identity, isFailure } from '../../auth/identity.ts';
import type { Runtime } from '../../runtime.ts';
import type { Session } from '../read-session.ts';
import { makeFormToken } from './form-token.ts';
import { makeSignedInViewer, makeUnnamedViewer } from './make-viewer.ts';
import { nameViewer } from './name-viewer.ts';
import {
  clearSessionCookie,
  readSessionCookie,
  type SignedInSession,
  writeSessionCookie,
} from './session.ts';
import type { SessionRefresher } from './session-refresher.ts';
import type { SignInContext } from './sign-in-context.ts';
import { isSignInRequest } from './sign-in-paths.ts';

/** The session of a request, and why the API would refuse it. */
export interface ViewerSession extends Session {
  /** Undefined for whoever has an identity. */
  readonly failure: AuthFailure | undefined;
}

export interface SessionDeps {
  readonly refresher: SessionRefresher;
  readonly now: () => number;
}

/** A token that is about to end is replaced, so that what a page does with it does not fail halfway. */
const REFRESH_AHEAD_MS = 60_000;
/** Why a token is refused when another one of the same session may be taken. */
const ENDED: ReadonlySet<string> = new Set(['expired', 'inactive']);

/**
 * Who looks at a page: by an `Authorization` header as the API takes it, else by the session cookie, whose tokens are
 * refreshed when they end. A session whose token is no longer accepted ends, unless the provider cannot be asked just
 * now.
 * @param context undefined where nobody signs in
 * @param path what the viewer is about to read of the API: public paths need no token
 */
export async function readViewerSession(
  request: Request,
  runtime: Runtime,
  context: SignInContext | undefined,
  path: string,
  deps: SessionDeps,
): Promise<ViewerSession> {
  const header = request.headers.get('authorization') ?? undefined;
  const isAnonymous = runtime.loaded.config.auth?.mode === 'anonymous';
  if (header !== undefined && !isAnonymous) return admitHeader(runtime, header, path);
  const stranger = () => admitStranger(runtime, path);
  if (context === undefined) return stranger();

  const { keys, style, client } = context;
  const { wasSent, session } = await readSessionCookie(request, keys, style, deps.now());
  const signOut = async () => ({
    ...(await stranger()),
    setCookies: wasSent ? clearSessionCookie(request, style) : [],
  });
  const { provider, clientId } = client.settings;
  if (session?.issuer !== provider.issuerUrl || session.clientId !== clientId) return signOut();

  const judge = ({ accessToken }: SignedInSession) =>
    runtime.authenticator.authenticate(`Bearer ${accessToken}`, path);
  let current = session;
  let isLost = false;
  const refresh = async (): Promise<void> => {
    const refreshed = await deps.refresher.refresh(session, client);
    if (typeof refreshed === 'string') isLost = refreshed === 'unavailable';
    else current = refreshed;
  };
  // What begins or ends a session has no use for the cookies of one that goes on: its new tokens would be lost.
  const canRefresh = session.refreshToken !== undefined && !isSignInRequest(request);
  const isDue = session.expiresAt !== undefined && deps.now() >= session.expiresAt - REFRESH_AHEAD_MS;
  if (canRefresh && isDue) await refresh();
  let identity = await judge(current);
  if (isFailure(identity) && canRefresh && !isDue && ENDED.has(identity.reason)) {
    await refresh();
    if (current !== session) identity = await judge(current);
  }
  if (isFailure(identity)) return isLost || isTransient(identity) ? stranger() : signOut();
  // A token of somebody else can only be a mistake of the provider.
  if (identity.subject !== session.subject) return signOut();

  const setCookies = current === session ? [] : await writeSessionCookie(request, current, keys, style);
  if (setCookies === undefined) return signOut();
  const csrf = makeFormToken(session.id, keys);
  const viewer = makeSignedInViewer(runtime, identity, { ...current, expiresAt: current.expiresAt, csrf });
  return {
    viewer,
    identity,
    failure: undefined,
    authorization: `Bearer ${current.accessToken}`,
    setCookies,
  };
}

function isTransient({ reason }: AuthFailure): boolean {
  return reason === 'provider_unavailable';
}

async function admitHeader(runtime: Runtime, header: string, path: string): Promise<ViewerSession> {
  const result = await runtime.authenticator.authenticate(header, path);
  if (isFailure(result)) return describeStranger(runtime, undefined, result);
  const name = nameViewer(undefined, result);
  const viewer = makeSignedInViewer(runtime, result, { name, csrf: '', expiresAt: undefined });
  return { viewer, identity: result, failure: undefined, authorization: header, setCookies: [] };
}

async function admitStranger(runtime: Runtime, path: string): Promise<ViewerSession> {
  const result = await runtime.authenticator.authenticate(undefined, path);
  return isFailure(result)
    ? describeStranger(runtime, undefined, result)
    : describeStranger(runtime, result, undefined);
}

function describeStranger(
  runtime: Runtime,
  identity: Identity | undefined,
  failure: AuthFailure | undefined,
): ViewerSession {
  const viewer = makeUnnamedViewer(runtime, identity);
  return { viewer, identity, failure, authorization: undefined, setCookies: [] };
}
