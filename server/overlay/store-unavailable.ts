import { HttpError } from '../http/problem.ts';

const RETRY_AFTER_SECONDS = 5;

/**
 * The store cannot take or give data now (disk full, I/O error, gone): reads are answered from memory, writes with this
 * error until it is back (contract 12.16).
 * @param detail for the client: what kind of failure, no path
 */
export function storeUnavailable(detail: string, cause?: unknown): HttpError {
  return new HttpError(503, 'store_unavailable', `${detail} Nothing was changed; try again later.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    ...(cause === undefined ? {} : { cause }),
  });
}

export function isStoreUnavailable(error: unknown): boolean {
  return error instanceof HttpError && error.code === 'store_unavailable';
}
