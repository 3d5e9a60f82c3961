import { HttpError } from '../../http/problem.ts';
import type { Refusal } from '../site-locals.ts';

/** For who must sign in before there is anything to show. */
export const UNAUTHENTICATED: Refusal = {
  refused: true,
  status: 401,
  code: 'unauthenticated',
  detail: 'Sign in to see this catalog.',
};

const STATUSES: readonly number[] = [400, 403, 404] satisfies Refusal['status'][];

/**
 * What an error of the consumer API is to the reader of a page.
 * @throws the error itself when it is none that a request may cause
 */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof HttpError) || !isStatus(error.status)) throw error;
  return { refused: true, status: error.status, code: error.code, detail: error.message };
}

function isStatus(status: number): status is Refusal['status'] {
  return STATUSES.includes(status);
}
