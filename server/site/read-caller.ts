import { isFailure } from '../auth/identity.ts';
import type { ReadSession } from './read-session.ts';

/** Who asks, by the `Authorization` header alone, as for the API. */
export const readCaller: ReadSession = async (request, runtime) => {
  const authorization = request.headers.get('authorization') ?? undefined;
  const result = await runtime.authenticator.authenticate(authorization, new URL(request.url).pathname);
  const identity = isFailure(result) ? undefined : result;
  const isKnown = identity !== undefined && !identity.anonymous;
  return {
    identity,
    authorization: isKnown ? authorization : undefined,
    setCookies: [],
    viewer: {
      kind: isKnown ? 'signed-in' : identity ? 'open' : 'stranger',
      name: identity?.subject ?? '',
      subject: identity?.subject ?? '',
      claims: Object.fromEntries(identity?.held ?? []),
      roles: identity?.roles ?? [],
      unrestricted: identity?.unrestricted ?? false,
      expiresAt: identity && Number.isFinite(identity.expiresAt) ? identity.expiresAt : undefined,
      canSignIn: false,
      csrf: '',
    },
  };
};
