import { setTimeout as pause } from 'node:timers/promises';
import { TestPostgres } from '../../server/overlay/postgres/start-postgres.ts';
import type { BenchContext, Outcome, Row } from '../bench-context.ts';
import { PUBLISHED_CLAIMS, writePublishingConfig } from '../catalog/publishing-config.ts';
import { type PublishResult, publishWhile } from '../load/publish.ts';
import { median } from '../median.ts';
import type { ServingBerth } from '../processes/start-berth.ts';

/** How fast entries are published into a registry that serves a catalog, each on the disk before it is answered. */
export const publishRow: Row = {
  name: 'publish',
  async measure(context): Promise<readonly Outcome[]> {
    const catalog = await context.catalog(context.scale.usual);
    const sqlite = await context.serve(await writePublishingConfig(catalog));
    const alone = await measureRate(context, sqlite, 1).finally(() => sqlite.stop());
    const postgres = await TestPostgres.start(['fsync=on']);
    try {
      const config = await writePublishingConfig(catalog, await postgres.createDatabase());
      const berth = await context.serve(config);
      const many = await measureRate(context, berth, 16).finally(() => berth.stop());
      return [
        describeRate('publish on SQLite, durable, one by one', alone, 300),
        describeRate('publish on PostgreSQL, durable, 16 writers', many, 500),
      ];
    } finally {
      await postgres.close();
    }
  },
};

async function measureRate(
  { scale, tokens: [token = ''] }: BenchContext,
  { origin }: ServingBerth,
  writers: number,
): Promise<PublishResult[]> {
  const results: PublishResult[] = [];
  for (let run = 0; run < scale.runs; run++) {
    const load = { origin, token, claims: PUBLISHED_CLAIMS, writers, prefix: `org.sample/run-${run}` };
    results.push(await publishWhile(load, () => pause(scale.seconds * (scale.judges ? 2000 : 500))));
  }
  return results;
}

function describeRate(what: string, runs: readonly PublishResult[], least: number): Outcome {
  const middle = (of: (result: PublishResult) => number) => median(runs.map(of));
  const rate = middle(({ perSecond }) => perSecond);
  const failed = runs.reduce((sum, run) => sum + run.failed, 0);
  return {
    what,
    measured: `${Math.round(rate).toLocaleString('en-US')}/s (p50 ${middle(({ p50 }) => p50).toFixed(1)} ms, p99 ${middle(({ p99 }) => p99).toFixed(1)} ms, ${failed} failed)`,
    target: `>= ${least}/s`,
    isMet: rate >= least && failed === 0,
  };
}
