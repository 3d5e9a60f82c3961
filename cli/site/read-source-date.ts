import { UsageError } from '../usage-error.ts';

/**
 * The moment that builds take for now when they are to be reproducible (`SOURCE_DATE_EPOCH`, in seconds).
 * @returns milliseconds since the epoch; 0 when it is not set
 * @throws UsageError when it is no whole number
 */
export function readSourceDate(env: Readonly<Record<string, string | undefined>>): number {
  const given = env.SOURCE_DATE_EPOCH;
  if (given === undefined || given === '') return 0;
  if (/^\d{1,11}$/.test(given)) return Number(given) * 1000;
  throw new UsageError(`SOURCE_DATE_EPOCH is "${given}" and not a number of seconds.`, {
    fix: 'Set it to the time of the commit: git log -1 --format=%ct.',
  });
}
