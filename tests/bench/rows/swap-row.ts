import { readFile, writeFile } from 'node:fs/promises';
import type { Outcome, Row } from '../bench-context.ts';
import { median } from '../median.ts';
import type { ServingBerth } from '../processes/start-berth.ts';
import { listRequests } from './consumer-rows.ts';

const MOST_TIMES = 3;
const CONNECTIONS = 32;
const EVERY_MS = 1000;

/**
 * A catalog is edited every second while the registry is read: watched, compiled in the service's thread, swapped.
 * The service may use both cores here, as compiling beside serving is what is measured; the generator disturbs the
 * steady and the swapping half alike.
 */
export const swapRow: Row = {
  name: 'swap',
  async measure(context): Promise<readonly Outcome[]> {
    const { scale, load, tokens } = context;
    const catalog = await context.catalog(scale.usual);
    const file = catalog.files[1] ?? '';
    const original = await readFile(file, 'utf8');
    const berth = await context.serve(catalog, 'free');
    const steady: number[] = [];
    const swapping: number[] = [];
    let failed = 0;
    const swapsBefore = await countSwaps(berth);
    try {
      const half = async (into: number[]) => {
        const seconds = scale.seconds * 2;
        const result = await load({
          origin: berth.origin,
          requests: listRequests(tokens),
          connections: CONNECTIONS,
          seconds,
        });
        into.push(result.p99);
        failed += result.failed;
      };
      let edits = 0;
      for (let run = 0; run < scale.runs; run++) {
        await half(steady);
        const editing = setInterval(() => void writeFile(file, edit(original, ++edits)), EVERY_MS);
        await half(swapping).finally(() => clearInterval(editing));
      }
      const swaps = (await countSwaps(berth)) - swapsBefore;
      const ratio = median(swapping) / median(steady);
      return [
        {
          what: `bundle swap every second under load (${swaps} swaps of ${edits} edits): failed requests`,
          measured: String(failed),
          target: '0',
          isMet: failed === 0 && swaps > 0,
        },
        {
          what: 'bundle swap every second under load: p99 against steady',
          measured: `${ratio.toFixed(2)} (${median(swapping).toFixed(1)} ms against ${median(steady).toFixed(1)} ms)`,
          target: `< ${MOST_TIMES}`,
          isMet: ratio < MOST_TIMES,
        },
      ];
    } finally {
      await berth.stop();
      await writeFile(file, original);
    }
  },
};

/** The same catalog with every description changed. */
function edit(catalog: string, number: number): string {
  return catalog.replaceAll('"description":"MCP server to', `"description":"MCP ${number % 10} to`);
}

async function countSwaps({ internalOrigin }: ServingBerth): Promise<number> {
  const text = await (await fetch(`${internalOrigin}/metrics`)).text();
  return Number(/^registry_bundle_swap_seconds_count (\d+)/m.exec(text)?.[1] ?? 0);
}
