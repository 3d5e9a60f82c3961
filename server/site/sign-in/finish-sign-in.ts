import { randomUUID } from 'node:crypto';
import { type AuthResult, type Identity, isFailure } from '../../auth/identity.ts';
import { HttpError } from '../../http/problem.ts';
import { explainFailure, explainRefusedToken, refuseUnknownSignIn } from './explain-failure.ts';
import { nameViewer } from './name-viewer.ts';
import { clearPending, readPending } from './pending-sign-in.ts';
import { redirect } from './redirect.ts';
import { writeSessionCookie } from './session.ts';
import type { SignInContext } from './sign-in-context.ts';

/** Somebody who has just signed in, and where to send them. */
export interface SignedIn {
  readonly response: Response;
  readonly identity: Identity;
}

/**
 * Takes the answer of the provider that a browser brings: of a sign-in begun in this browser, with a code that gives an
 * access token this registry takes.
 * @param judge says who holds a token, as the API does
 * @throws HttpError `sign_in_expired`, `sign_in_refused`, `sign_in_failed`, `sign_in_unavailable`
 */
export async function finishSignIn(
  request: Request,
  context: SignInContext,
  judge: (accessToken: string) => AuthResult | Promise<AuthResult>,
  now: number,
): Promise<SignedIn> {
  const { client, keys, style, base } = context;
  const { provider, clientId } = client.settings;
  const pending = await readPending(request, keys, style, now);
  const answer = new URL(request.url).searchParams;
  // Another browser's answer must not end what was begun here either.
  if (
    pending === undefined ||
    answer.get('state') !== pending.state ||
    pending.issuer !== provider.issuerUrl
  ) {
    throw refuseUnknownSignIn(base);
  }
  try {
    const tokens = await client.redeem(answer, pending);
    const identity = await judge(tokens.accessToken);
    if (isFailure(identity)) throw explainRefusedToken(identity);
    const session = {
      id: randomUUID(),
      issuer: provider.issuerUrl,
      clientId,
      subject: identity.subject,
      name: nameViewer(tokens.idMembers, identity),
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken,
      idToken: tokens.idToken,
      expiresAt: tokens.expiresAt,
      signedInAt: now,
    };
    const cookies = await writeSessionCookie(request, session, keys, style);
    if (cookies === undefined) {
      throw new HttpError(
        403,
        'sign_in_refused',
        'The access token is too large for a browser to keep. An administrator can have the provider put less into it, such as fewer groups.',
      );
    }
    return { response: redirect(base + pending.returnPath, [...cookies, clearPending(style)]), identity };
  } catch (error) {
    throw spend(explainFailure(error), clearPending(style));
  }
}

/** The code is used up, whatever came of it. */
function spend(error: HttpError, cookie: string): HttpError {
  return new HttpError(error.status, error.code, error.message, {
    headers: { 'Set-Cookie': cookie },
    cause: error.cause,
  });
}
