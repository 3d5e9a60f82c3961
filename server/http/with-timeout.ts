import { HttpError } from './problem.ts';

/**
 * Waits for a promise at most `ms` milliseconds (contract 2 `limits.requestTimeout`).
 * @throws HttpError 504 `request_timeout`
 */
export async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new HttpError(504, 'request_timeout', `The request was not answered within ${ms / 1000} s.`));
    }, ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
