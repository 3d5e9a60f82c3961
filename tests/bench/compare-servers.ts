import type { BenchContext } from './bench-context.ts';
import type { LoadRequest, LoadResult } from './load/load.ts';
import { median } from './median.ts';
import type { Started } from './processes/start-process.ts';

/** A server under load. */
export interface Side extends Started {
  readonly origin: string;
  readonly requests: readonly LoadRequest[];
}

export interface SideResult {
  readonly perSecond: number;
  /** Requests answered per second of the server's own processor time: what is left when others share the machine. */
  readonly perCpuSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

/**
 * Puts the same load on servers in turn, several times, so that noise meets all of them alike; the medians.
 * @param sides pinned to the same core
 */
export async function compareServers(
  { load, scale }: BenchContext,
  sides: readonly Side[],
  connections: number,
): Promise<readonly SideResult[]> {
  if (scale.judges) {
    for (const { origin, requests } of sides) await load({ origin, requests, connections, seconds: 1 });
  }
  const results = sides.map((): (LoadResult & { readonly perCpuSecond: number })[] => []);
  for (let run = 0; run < scale.runs; run++) {
    for (const [index, { origin, requests, cpuSeconds }] of sides.entries()) {
      const before = await cpuSeconds();
      const result = await load({ origin, requests, connections, seconds: scale.seconds });
      results[index]?.push({ ...result, perCpuSecond: result.requests / ((await cpuSeconds()) - before) });
    }
  }
  return results.map((runs) => ({
    perSecond: median(runs.map((run) => run.perSecond)),
    perCpuSecond: median(runs.map((run) => run.perCpuSecond)),
    p50: median(runs.map((run) => run.p50)),
    p99: median(runs.map((run) => run.p99)),
    failed: runs.reduce((sum, run) => sum + run.failed, 0),
  }));
}

/** `0.81 (20,100 of 24,800 per s)`: throughput of the first against the second, per second of processor time. */
export function describeRatio(ours: SideResult, theirs: SideResult): { ratio: number; measured: string } {
  const ratio = ours.perCpuSecond / theirs.perCpuSecond;
  const count = (value: number) => Math.round(value).toLocaleString('en-US');
  const wall = (ours.perSecond / theirs.perSecond).toFixed(2);
  const failed = ours.failed > 0 ? `, ${ours.failed} failed` : '';
  return {
    ratio,
    measured: `${ratio.toFixed(2)} (${count(ours.perCpuSecond)} of ${count(theirs.perCpuSecond)} per CPU s; by the clock ${wall}: ${count(ours.perSecond)} of ${count(theirs.perSecond)}${failed})`,
  };
}
