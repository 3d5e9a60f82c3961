import {
  AuthorizationResponseError,
  OperationProcessingError,
  PARSE_ERROR,
  RESPONSE_IS_NOT_CONFORM,
  RESPONSE_IS_NOT_JSON,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import { BerthError, messageOf } from '../../../sources/errors.ts';
import type { AuthFailure } from '../../auth/identity.ts';
import { HttpError } from '../../http/problem.ts';

const UNREACHABLE = 'The identity provider cannot be reached at the moment.';
const TROUBLE = 'The identity provider gives no proper answer at the moment.';
const SETUP = 'The sign-in is not set up correctly: the log of the service says why.';
/** Of answers that are none: a proxy before the provider, or a provider in trouble. */
const NO_ANSWER: ReadonlySet<string | undefined> = new Set([
  RESPONSE_IS_NOT_CONFORM,
  RESPONSE_IS_NOT_JSON,
  PARSE_ERROR,
]);
/** What may be over when somebody tries again; anything else an administrator has to correct. */
const PASSING: ReadonlySet<string> = new Set(['net_timeout', 'net_unreachable']);
const AGAIN = 'Begin the sign-in again.';

/** The answer to somebody whose browser knows of no sign-in, or of another one. */
export function refuseUnknownSignIn(baseUrl: string): HttpError {
  return new HttpError(
    400,
    'sign_in_expired',
    `This sign-in was not begun in this browser, or took longer than ten minutes. Begin again at ${baseUrl}/.`,
  );
}

/**
 * The answer to a sign-in that went wrong at the provider. What the provider says about it is passed on; what the
 * library says is about tokens and stays out.
 */
export function explainFailure(cause: unknown): HttpError {
  if (cause instanceof HttpError) return cause;
  if (cause instanceof AuthorizationResponseError) return explainRefusal(cause);
  if (cause instanceof ResponseBodyError) return explainTokenEndpoint(cause);
  if (cause instanceof BerthError) {
    const detail = PASSING.has(cause.code) ? UNREACHABLE : SETUP;
    return new HttpError(503, 'sign_in_unavailable', detail, { cause });
  }
  if (cause instanceof WWWAuthenticateChallengeError) {
    return new HttpError(503, 'sign_in_unavailable', SETUP, { cause });
  }
  if (cause instanceof OperationProcessingError && NO_ANSWER.has(cause.code)) {
    return new HttpError(503, 'sign_in_unavailable', TROUBLE, { cause });
  }
  return new HttpError(
    400,
    'sign_in_failed',
    `The answer of the identity provider cannot be trusted. ${AGAIN}`,
    { cause },
  );
}

/** One line for the log: neither tokens nor what a browser brought. */
export function describeCause(cause: unknown): string {
  if (cause instanceof AuthorizationResponseError || cause instanceof ResponseBodyError) return say(cause);
  return messageOf(cause);
}

function explainRefusal(cause: AuthorizationResponseError): HttpError {
  if (cause.error === 'temporarily_unavailable' || cause.error === 'server_error') {
    return new HttpError(503, 'sign_in_unavailable', `The identity provider has trouble: ${say(cause)}.`, {
      cause,
    });
  }
  if (cause.error === 'access_denied') {
    return new HttpError(403, 'sign_in_refused', `The identity provider did not let you in: ${say(cause)}.`, {
      cause,
    });
  }
  return new HttpError(400, 'sign_in_failed', `The identity provider refused the sign-in: ${say(cause)}.`, {
    cause,
  });
}

function explainTokenEndpoint(cause: ResponseBodyError): HttpError {
  if (cause.error === 'invalid_grant') {
    return new HttpError(
      400,
      'sign_in_failed',
      `The identity provider does not accept this sign-in any more. ${AGAIN}`,
      { cause },
    );
  }
  return new HttpError(
    503,
    'sign_in_unavailable',
    `The identity provider does not accept this service as it is set up: ${say(cause)}.`,
    { cause },
  );
}

/** The words of the provider, without anything that could be more than words. */
function say({
  error,
  error_description: more,
}: Pick<ResponseBodyError, 'error' | 'error_description'>): string {
  const text = more === undefined ? error : `${error} (${more})`;
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 300);
}

const REASONS: Readonly<Record<string, string>> = {
  audience:
    'the token is meant for another audience. An administrator can ask for one of this registry with site.signIn.resource or site.signIn.scope',
  issuer:
    'the token names another issuer. An administrator can compare auth.oauth.providers with what the provider issues',
  malformed:
    'the token is not a JWT, and no introspection is set up. An administrator can ask for another one with site.signIn.resource or site.signIn.scope',
  inactive: 'the token is not one that its introspection knows as active',
};

/** The answer to somebody whom the provider let in with a token that this registry does not take. */
export function explainRefusedToken(failure: AuthFailure): HttpError {
  if (failure.reason === 'provider_unavailable')
    return new HttpError(503, 'sign_in_unavailable', UNREACHABLE);
  const why = REASONS[failure.reason] ?? failure.description;
  return new HttpError(
    403,
    'sign_in_refused',
    `The identity provider let you in, but this registry does not accept the access token it gave: ${why}.`,
  );
}
