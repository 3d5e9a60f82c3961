import { BerthError, messageOf } from '../../sources/errors.ts';

const STALE_MS = 10_000;

/**
 * Does one thing at a time, over all processes, for one file; the file itself need not exist. A lock whose holder was
 * killed is taken over after ten seconds.
 *
 * @throws BerthError `state_locked` when somebody else keeps it for longer than that
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const { default: lockfile } = await import('proper-lockfile');
  let release: () => Promise<void>;
  try {
    release = await lockfile.lock(file, {
      realpath: false,
      stale: STALE_MS,
      retries: { retries: 400, factor: 1, minTimeout: 15, maxTimeout: 60, randomize: true },
    });
  } catch (cause) {
    throw new BerthError('state_locked', `The file is in use by another process (${messageOf(cause)}).`, {
      at: { file },
      fix: 'Try again in a moment.',
      cause,
    });
  }
  try {
    return await work();
  } finally {
    // Gone already when the directory around it was removed meanwhile.
    await release().catch(() => undefined);
  }
}
