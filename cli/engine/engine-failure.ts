import { BerthError } from '../../sources/errors.ts';

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'EACCES',
  'EPERM',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ETIMEDOUT',
]);

/** The HTTP status an error of the engine carries; undefined for anything else. */
export function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}

/** What the engine itself said, without the words its client library puts around it. */
export function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^\(HTTP code \d+\) .*? - /s, '').trim();
}

/**
 * Puts an error of the engine into our words.
 *
 * @param doing what was being done, for the start of the message: `start container x`
 * @param address where the engine is
 * @returns BerthError `engine_unavailable` when it could not be reached, `engine_failed` with its answer otherwise
 */
export function explainFailure(error: unknown, doing: string, address: string): BerthError {
  if (error instanceof BerthError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && UNREACHABLE.has(code)) {
    return new BerthError(
      'engine_unavailable',
      `The container engine at ${address} cannot be reached (${code}) to ${doing}.`,
      { fix: 'Start Docker or Podman, or set DOCKER_HOST to its socket.', cause: error },
    );
  }
  return new BerthError('engine_failed', `The container engine could not ${doing}: ${textOf(error)}`, {
    cause: error,
  });
}
