import type { Outcome, Row } from '../bench-context.ts';
import { median } from '../median.ts';
import { runScript } from '../processes/run-script.ts';

type Change = 'entry' | 'version' | 'status';

const CHANGES: readonly (readonly [Change, string])[] = [
  ['entry', 'a new entry published'],
  ['version', 'a new version published'],
  ['status', 'a status set'],
];
/** For a hundred times the entries: a pass over the catalog would be a hundred. */
const MOST = 10;

/** A change of a managed source until the first page of its new view, in memory, over catalogs of three sizes. */
export const viewUpdateRow: Row = {
  name: 'view-update',
  async measure({ scale }): Promise<readonly Outcome[]> {
    const sizes = scale.judges ? [1000, 10_000, 100_000] : [100, 200, 400];
    const runs = await Promise.all(sizes.map(() => [] as Record<Change, number>[]));
    for (let run = 0; run < scale.runs; run++) {
      for (const [index, entries] of sizes.entries()) {
        const input = { entries, times: scale.judges ? 600 : 60 };
        runs[index]?.push(await runScript<Record<Change, number>>('server', 'update-views.ts', input));
      }
    }
    return CHANGES.map(([change, what]) => {
      const costs = runs.map((ofSize) => median(ofSize.map((result) => result[change])));
      const ratio = (costs.at(-1) ?? Number.NaN) / (costs[0] ?? Number.NaN);
      return {
        what: `view update after ${what}: ${sizes.map((size) => size.toLocaleString('en-US')).join(', ')} entries`,
        measured: `${costs.map((cost) => Math.round(cost)).join(', ')} µs (largest against smallest ${ratio.toFixed(1)})`,
        target: `< ${MOST} for ${(sizes.at(-1) ?? 0) / (sizes[0] ?? 1)} times the entries`,
        isMet: ratio < MOST,
      };
    });
  },
};
