import { HttpError } from '../http/problem.ts';
import type { AdminCall, AdminResult } from './admin-route.ts';

/**
 * `GET /v1/me`: who the caller is (specification 2.6), roles in the contract's order.
 * @throws HttpError 401 `authentication_required` for a caller without a token, also in anonymous mode; who sends it
 *   adds `WWW-Authenticate`
 */
export function readMe({ identity }: Pick<AdminCall, 'identity'>): AdminResult {
  if (identity.anonymous) {
    throw new HttpError(
      401,
      'authentication_required',
      'This call tells who you are: it needs an access token.',
    );
  }
  return { status: 200, body: { subject: identity.subject, roles: identity.roles } };
}
