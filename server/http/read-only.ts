import { HttpError } from './problem.ts';

/**
 * The handler for every other method on a path that is only read.
 * @throws HttpError 405 `method_not_allowed` with `Allow`
 */
export function refuseMethod(allow = 'GET, HEAD'): () => never {
  return () => {
    throw new HttpError(405, 'method_not_allowed', 'This path is only read.', { headers: { Allow: allow } });
  };
}
