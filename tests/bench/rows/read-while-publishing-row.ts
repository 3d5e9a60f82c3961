import type { Outcome, Row } from '../bench-context.ts';
import { PUBLISHED_CLAIMS, writePublishingConfig } from '../catalog/publishing-config.ts';
import { describeRatio, type SideResult } from '../compare-servers.ts';
import type { LoadRequest } from '../load/load.ts';
import { publishWhile } from '../load/publish.ts';
import { median } from '../median.ts';
import { detailRequests, listRequests } from './consumer-rows.ts';

const LEAST = 0.85;
const CONNECTIONS = 64;
const PUBLISHES_PER_SECOND = 50;

/**
 * Reading while entries are published into the same registry, against reading alone, in turn, on the same server. Every
 * publish makes a new view of the registry, so no page of the one before is used again.
 */
export const readWhilePublishingRow: Row = {
  name: 'read-while-publishing',
  async measure(context): Promise<readonly Outcome[]> {
    const { scale, load, tokens } = context;
    const catalog = await context.catalog(scale.usual);
    const berth = await context.serve(await writePublishingConfig(catalog));
    const { origin } = berth;
    let number = 0;
    let published = 0;
    const compare = async (what: string, requests: readonly LoadRequest[]): Promise<Outcome> => {
      const idle: SideResult[] = [];
      const busy: SideResult[] = [];
      const read = async (into: SideResult[]) => {
        const before = await berth.cpuSeconds();
        const result = await load({
          origin,
          requests,
          connections: CONNECTIONS,
          seconds: scale.judges ? scale.seconds * 2 : 1,
        });
        into.push({ ...result, perCpuSecond: result.requests / ((await berth.cpuSeconds()) - before) });
      };
      if (scale.judges) await load({ origin, requests, connections: CONNECTIONS, seconds: 1 });
      for (let run = 0; run < scale.runs; run++) {
        await read(idle);
        const publishing = {
          ...{ origin, token: tokens[0] ?? '', claims: PUBLISHED_CLAIMS, writers: PUBLISHES_PER_SECOND },
          ...{ perSecond: PUBLISHES_PER_SECOND, prefix: `org.sample/busy-${++number}` },
        };
        const { answered, failed } = await publishWhile(publishing, () => read(busy));
        published += answered;
        if (failed > 0) throw new Error(`read-while-publishing: ${failed} publishes failed`);
      }
      const { ratio, measured } = describeRatio(middle(busy), middle(idle));
      return {
        what: `${what} while ${PUBLISHES_PER_SECOND} publishes/s run, against idle`,
        measured,
        target: `>= ${LEAST.toFixed(2)}`,
        isMet: ratio >= LEAST && published > 0,
      };
    };
    try {
      return [
        await compare('list page of 30, claim-filtered, 40 callers,', listRequests(tokens)),
        await compare('detail of one version', await detailRequests(context, origin, scale.usual, '1.4.2')),
      ];
    } finally {
      await berth.stop();
    }
  },
};

function middle(runs: readonly SideResult[]): SideResult {
  const of = (key: keyof SideResult) => median(runs.map((run) => run[key]));
  return {
    perSecond: of('perSecond'),
    perCpuSecond: of('perCpuSecond'),
    p50: of('p50'),
    p99: of('p99'),
    failed: runs.reduce((sum, run) => sum + run.failed, 0),
  };
}
