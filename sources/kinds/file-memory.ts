import type { BigIntStats } from 'node:fs';

/** What a file looked like when it was last read, and the digest of what it held. */
interface Remembered {
  readonly look: string;
  readonly digest: string;
}

// A write this shortly before the read may be followed by another one with the same time stamp.
const settledAfterNs = 2_000_000_000n;
const mostRemembered = 100_000;

/**
 * Remembers the digests of files by size, time stamps and inode, so that an unchanged tree needs no reading. Kept per
 * process; a file that was written just before it was read is never trusted.
 */
export interface FileMemory {
  recall(path: string, stats: BigIntStats): string | undefined;
  remember(path: string, stats: BigIntStats, digest: string): void;
}

/** @param now milliseconds since the epoch, for tests */
export function createFileMemory(now: () => number = Date.now): FileMemory {
  const known = new Map<string, Remembered>();
  const describe = (stats: BigIntStats) =>
    `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
  return {
    recall(path, stats) {
      const found = known.get(path);
      return found?.look === describe(stats) ? found.digest : undefined;
    },
    remember(path, stats, digest) {
      const settled = BigInt(now()) * 1_000_000n - stats.mtimeNs > settledAfterNs;
      if (known.size >= mostRemembered) known.clear();
      if (settled) known.set(path, { look: describe(stats), digest });
      else known.delete(path);
    },
  };
}
