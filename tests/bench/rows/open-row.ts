import type { Outcome, Row } from '../bench-context.ts';
import { median } from '../median.ts';
import { runScript } from '../processes/run-script.ts';
import { listRequests } from './consumer-rows.ts';

const MOST_MS = 1000;
const MOST_MB = 350;

/** Opening a compiled large catalog, alone and as a restart of the service, and the memory it then takes. */
export const openRow: Row = {
  name: 'open',
  async measure(context): Promise<readonly Outcome[]> {
    const { scale, load, tokens } = context;
    const catalog = await context.catalog(scale.large);
    const opened: number[] = [];
    const ready: number[] = [];
    const resident: number[] = [];
    for (let run = 0; run < scale.runs; run++) {
      opened.push((await runScript<{ ms: number }>('server', 'open-bundles.ts', { dir: catalog.dir })).ms);
      const berth = await context.serve(catalog);
      ready.push(berth.readyMs);
      const requests = listRequests(tokens);
      await load({ origin: berth.origin, requests, connections: 64, seconds: scale.seconds });
      resident.push(await berth.residentMb());
      await berth.stop();
    }
    const versions = catalog.versions.toLocaleString('en-US');
    return [
      {
        what: `open ${versions} versions: hashes checked, tables open`,
        measured: `${(median(opened) / 1000).toFixed(3)} s`,
        target: `< ${MOST_MS / 1000} s`,
        isMet: median(opened) < MOST_MS,
      },
      {
        what: `start of berth serve over ${versions} versions until ready`,
        measured: `${(median(ready) / 1000).toFixed(2)} s`,
      },
      {
        what: `resident memory over ${versions} versions, after load`,
        measured: `${Math.round(median(resident))} MB`,
        target: `< ${MOST_MB} MB`,
        isMet: median(resident) < MOST_MB,
      },
    ];
  },
};
