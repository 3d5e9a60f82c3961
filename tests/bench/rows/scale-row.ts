import type { Outcome, Row } from '../bench-context.ts';
import { compareServers, describeRatio, type Side } from '../compare-servers.ts';
import { detailRequests, listRequests } from './consumer-rows.ts';

const LEAST = 0.9;
const CONNECTIONS = 64;

/** The same requests over a small and a large catalog. */
export const scaleRow: Row = {
  name: 'scale',
  async measure(context): Promise<readonly Outcome[]> {
    const { scale, tokens } = context;
    const [large, small] = [await context.catalog(scale.large), await context.catalog(scale.small)];
    const sides = [await context.serve(large), await context.serve(small)] as const;
    try {
      const outcomes: Outcome[] = [];
      const compare = async (what: string, both: readonly [Side, Side]) => {
        const [ours, theirs] = await compareServers(context, both, CONNECTIONS);
        if (!ours || !theirs) return;
        const { ratio, measured } = describeRatio(ours, theirs);
        const name = `${what}: ${large.versions.toLocaleString('en-US')} versions against ${small.versions.toLocaleString('en-US')}`;
        outcomes.push({ what: name, measured, target: `>= ${LEAST.toFixed(2)}`, isMet: ratio >= LEAST });
      };
      const requests = listRequests(tokens);
      await compare('list page', [
        { ...sides[0], requests },
        { ...sides[1], requests },
      ]);
      await compare('detail', [
        { ...sides[0], requests: await detailRequests(context, sides[0].origin, large.servers, 'latest') },
        { ...sides[1], requests: await detailRequests(context, sides[1].origin, small.servers, 'latest') },
      ]);
      return outcomes;
    } finally {
      for (const side of sides) await side.stop();
    }
  },
};
