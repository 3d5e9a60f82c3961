import { fileURLToPath } from 'node:url';
import type { BenchContext, Outcome, Row } from '../bench-context.ts';
import { median } from '../median.ts';
import { measure } from '../proxy/measure.ts';
import { measurePipe } from '../proxy/measure-pipe.ts';
import { startChild } from '../proxy/start-child.ts';

const CLIENTS = 32;
const LEAST = 0.6;
const find = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

const SERVERS = [
  {
    what: 'a server made with the SDK',
    command: ['--import', 'tsx', find('conformance/server/serve-stdio.ts')],
    tool: 'test_simple_text',
  },
  { what: 'a server of 80 lines', command: [find('fixtures/mcp-server.mjs'), 'stdio'], tool: 'echo' },
];

/** Many HTTP clients of one process, against its pipe with as many calls under way. */
export const stdioRow: Row = {
  name: 'stdio',
  async measure(context): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const server of SERVERS) outcomes.push(await compare(context, server));
    return outcomes;
  },
};

async function compare(
  { scale }: BenchContext,
  { what, command, tool }: (typeof SERVERS)[number],
): Promise<Outcome> {
  const proxy = await startChild('./stdio-proxy-process.ts', ...command);
  try {
    const load = { port: proxy.port, clients: CLIENTS, hasSessions: true, tool };
    await measure({ ...load, calls: scale.proxyCalls / 4 });
    const rates: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] };
    for (let run = 0; run < scale.runs; run++) {
      rates.theirs.push(await measurePipe(command, CLIENTS, scale.proxyCalls, tool));
      rates.ours.push((await measure({ ...load, calls: scale.proxyCalls })).rate);
    }
    const [ours, theirs] = [median(rates.ours), median(rates.theirs)];
    const [shown, other] = [ours, theirs].map((rate) => Math.round(rate).toLocaleString('en-US'));
    return {
      what: `stdio, ${CLIENTS} clients: rate against the pipe of ${what}`,
      measured: `${(ours / theirs).toFixed(2)} (${shown} of ${other} calls/s)`,
      target: `>= ${LEAST.toFixed(2)}`,
      isMet: ours / theirs >= LEAST,
    };
  } finally {
    await proxy.stop();
  }
}
