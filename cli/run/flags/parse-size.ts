import { refuseFlag } from './flag-error.ts';

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
};
const SIZE = /^(\d+(?:\.\d+)?)([bkmgt]?)(?:i?b)?$/i;
/** The least a container engine accepts. */
const LEAST = 6 * 2 ** 20;

/** `--memory`: bytes, or with a unit of 1024 such as `512m`, `2g`, `1Gi`. @throws UsageError */
export function readMemory(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const [, amount, unit = ''] = SIZE.exec(given.replace(/i$/i, 'ib')) ?? [];
  const bytes = Math.round(Number(amount) * (UNITS[unit.toLowerCase()] ?? Number.NaN));
  if (!Number.isSafeInteger(bytes)) {
    throw refuseFlag('--memory', `"${given}" is not an amount of memory.`, 'Write it like 512m or 2g.');
  }
  if (bytes >= LEAST) return bytes;
  throw refuseFlag('--memory', `"${given}" is less than a container can run with.`, 'Give at least 6m.');
}

/** `--cpus`: a number above 0. @throws UsageError */
export function readCpus(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const cpus = /^\d+(?:\.\d+)?$/.test(given) ? Number(given) : Number.NaN;
  if (cpus >= 0.01 && cpus <= 10_000) return cpus;
  throw refuseFlag('--cpus', `"${given}" is not a number of processors.`, 'Write it like 0.5 or 2.');
}
