import { z } from 'zod';

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/gy;

/** Reads a Go-style duration such as `30m`, `2m30s` or `1.5h` as milliseconds; undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  let total = 0;
  let end = 0;
  for (const match of text.matchAll(PART)) {
    total += Number(match[1]) * (UNITS[match[2] ?? ''] ?? Number.NaN);
    end = match.index + match[0].length;
  }
  return end > 0 && end === text.length ? total : undefined;
}

/** Writes milliseconds the way Go does: `30m0s`, `1h0m0s`, `1.5s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = (ms % 60_000) / 1000;
  return `${hours ? `${hours}h` : ''}${hours || minutes ? `${minutes}m` : ''}${seconds}s`;
}

/** A Go-style duration of at least 1 s in a configuration, as milliseconds. */
export const duration = z
  .union([z.string(), z.number()], 'must be a duration such as 30s, 5m or 1h30m')
  .transform((value, context) => {
    const ms = typeof value === 'number' ? undefined : parseDuration(value);
    if (ms === undefined) {
      context.addIssue({ code: 'custom', message: 'must be a duration such as 30s, 5m or 1h30m' });
      return z.NEVER;
    }
    if (ms < 1000) {
      context.addIssue({ code: 'custom', message: 'must be at least 1s' });
      return z.NEVER;
    }
    return ms;
  });
