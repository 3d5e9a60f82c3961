import { availableParallelism } from 'node:os';
import { UsageError } from './usage-error.ts';

const MOST = 256;

/**
 * How many processes are to serve: what is given, or one per core for `auto`.
 * @throws UsageError for anything but `auto` and a whole number from 1 to 256
 */
export function readWorkerCount(given: string, cores: () => number = availableParallelism): number {
  if (given === 'auto') return Math.min(MOST, cores());
  const count = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (count >= 1 && count <= MOST) return count;
  throw new UsageError(`"${given}" is no number of worker processes.`, {
    at: { flag: '--workers' },
    fix: `Use a whole number from 1 to ${MOST}, or auto for one per core.`,
  });
}
