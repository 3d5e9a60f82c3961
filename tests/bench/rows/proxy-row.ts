import type { BenchContext, Outcome, Row } from '../bench-context.ts';
import { median } from '../median.ts';
import { type Measured, measure } from '../proxy/measure.ts';
import { type Child, startChild } from '../proxy/start-child.ts';

const CLIENTS = 32;
const MOST_P50_MS = 0.4;
const MOST_P99_MS = 2;
const LEAST_RATE = 0.5;

/** What the proxy of a workload costs before a server that answers 2 KB at once, on streamable HTTP. */
export const proxyRow: Row = {
  name: 'proxy',
  async measure(context): Promise<readonly Outcome[]> {
    const children: Child[] = [];
    const start = async (file: string, ...args: readonly string[]) => {
      const child = await startChild(file, ...args);
      children.push(child);
      return child.port;
    };
    try {
      const direct = await start('./echo-server.ts');
      const target = `http://127.0.0.1:${direct}/mcp`;
      const streaming = await start('./proxy-process.ts', target);
      const filtered = await start('./proxy-process.ts', target, 'filtered');
      const outcomes = await compare(context, { direct, streaming, filtered });
      const usual = await start('../../conformance/server/serve-http.ts');
      const before = await start('./proxy-process.ts', `http://127.0.0.1:${usual}/mcp`);
      return [...outcomes, await compareUsual(context, usual, before)];
    } finally {
      for (const child of children) await child.stop();
    }
  },
};

type Side = 'direct' | 'streaming' | 'filtered';

async function compare(
  { scale }: BenchContext,
  ports: Readonly<Record<Side, number>>,
): Promise<readonly Outcome[]> {
  const sides: readonly Side[] = ['direct', 'streaming', 'filtered'];
  const one: Record<Side, Measured[]> = { direct: [], streaming: [], filtered: [] };
  const many: Record<Side, Measured[]> = { direct: [], streaming: [], filtered: [] };
  const warm = scale.proxyCalls / 4;
  for (const side of sides) await measure({ port: ports[side], clients: CLIENTS, calls: warm });
  for (let run = 0; run < scale.runs; run++) {
    for (const side of sides) {
      const port = ports[side];
      one[side].push(await measure({ port, clients: 1, calls: scale.proxyCalls / 5 }));
      many[side].push(await measure({ port, clients: CLIENTS, calls: scale.proxyCalls }));
    }
  }
  const middle = (measured: readonly Measured[], of: keyof Measured) =>
    median(measured.map((all) => all[of]));
  const titles = {
    streaming: 'proxy, streamable HTTP',
    filtered: 'proxy with a tool filter, streamable HTTP',
  };
  return (['streaming', 'filtered'] as const).flatMap((side) => {
    const [p50, p99] = (['p50', 'p99'] as const).map((of) => middle(one[side], of) - middle(one.direct, of));
    const [ours, theirs] = [middle(many[side], 'rate'), middle(many.direct, 'rate')];
    const was = (of: 'p50' | 'p99') =>
      `${middle(one[side], of).toFixed(3)} ms against ${middle(one.direct, of).toFixed(3)} ms`;
    return [
      describeAdded(`${titles[side]}, one client: added at the median`, p50, was('p50'), MOST_P50_MS),
      describeAdded(
        `${titles[side]}, one client: added at the 99th percentile`,
        p99,
        was('p99'),
        MOST_P99_MS,
      ),
      {
        what: `${titles[side]}, ${CLIENTS} clients: rate against direct`,
        measured: `${(ours / theirs).toFixed(2)} (${round(ours)} of ${round(theirs)} calls/s)`,
        target: `>= ${LEAST_RATE.toFixed(2)}`,
        isMet: ours / theirs >= LEAST_RATE,
      },
    ];
  });
}

/** A server as people write them, with the SDK and sessions: what it costs itself is more than what the proxy adds. */
async function compareUsual({ scale }: BenchContext, direct: number, proxied: number): Promise<Outcome> {
  const load = { clients: CLIENTS, hasSessions: true, tool: 'test_simple_text' };
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (const port of [direct, proxied]) await measure({ ...load, port, calls: scale.proxyCalls / 10 });
  for (let run = 0; run < scale.runs; run++) {
    theirs.push((await measure({ ...load, port: direct, calls: scale.proxyCalls / 4 })).rate);
    ours.push((await measure({ ...load, port: proxied, calls: scale.proxyCalls / 4 })).rate);
  }
  const ratio = median(ours) / median(theirs);
  return {
    what: `proxy, streamable HTTP, ${CLIENTS} clients: rate against direct, a server made with the SDK`,
    measured: `${ratio.toFixed(2)} (${round(median(ours))} of ${round(median(theirs))} calls/s)`,
    target: `>= ${LEAST_RATE.toFixed(2)}`,
    isMet: ratio >= LEAST_RATE,
  };
}

function describeAdded(what: string, ms = Number.NaN, was: string, most: number): Outcome {
  return { what, measured: `${ms.toFixed(3)} ms (${was})`, target: `< ${most} ms`, isMet: ms < most };
}

function round(rate: number): string {
  return Math.round(rate).toLocaleString('en-US');
}
