// `npm run bench [-- --smoke] [-- --only NAME]`: see README.md beside this file.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchContext, BenchScale, Outcome, Row } from './bench-context.ts';
import { type CatalogDir, callerClaims, SOURCE_COUNT, writeCatalog } from './catalog/write-catalog.ts';
import { issueMany, startIssuer } from './issuer.ts';
import { generateWithAutocannon } from './load/autocannon.ts';
import { generateWithWrk } from './load/wrk.ts';
import { formatTable } from './print-table.ts';
import { CAN_PIN } from './processes/pinned.ts';
import { BUILT_BERTH, startBerth } from './processes/start-berth.ts';
import { commandRow } from './rows/command-row.ts';
import { compileRow } from './rows/compile-row.ts';
import { connectsRow } from './rows/connects-row.ts';
import { consumerRows } from './rows/consumer-rows.ts';
import { exportRow } from './rows/export-row.ts';
import { openRow } from './rows/open-row.ts';
import { pagesRow } from './rows/pages-row.ts';
import { proxyRow } from './rows/proxy-row.ts';
import { publishRow } from './rows/publish-row.ts';
import { readWhilePublishingRow } from './rows/read-while-publishing-row.ts';
import { runRow } from './rows/run-row.ts';
import { scaleRow } from './rows/scale-row.ts';
import { searchRow } from './rows/search-row.ts';
import { siteRow } from './rows/site-row.ts';
import { stdioRow } from './rows/stdio-row.ts';
import { swapRow } from './rows/swap-row.ts';
import { tokenRow } from './rows/token-row.ts';
import { viewUpdateRow } from './rows/view-update-row.ts';
import { visibleRow } from './rows/visible-row.ts';

const ROWS: readonly Row[] = [
  ...[...consumerRows, searchRow, tokenRow, scaleRow, compileRow, openRow, swapRow],
  ...[publishRow, readWhilePublishingRow, visibleRow, viewUpdateRow, siteRow, pagesRow, exportRow],
  ...[proxyRow, stdioRow, connectsRow, commandRow, runRow],
];
const FULL: BenchScale = {
  judges: true,
  runs: 3,
  seconds: 2,
  small: 500,
  usual: 10_000,
  large: 50_000,
  compiled: 5000,
  newTokens: 16_000,
  searches: 24_000,
  proxyCalls: 10_000,
  connects: 1000,
};
const SMOKE: BenchScale = {
  judges: false,
  runs: 1,
  seconds: 1,
  small: 80,
  usual: 160,
  large: 320,
  compiled: 100,
  newTokens: 1600,
  searches: 2000,
  proxyCalls: 800,
  connects: 40,
};

const { values } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    berth: { type: 'string', default: BUILT_BERTH },
  },
});
const rows = ROWS.filter(({ name }) => values.only?.includes(name) ?? true);
if (rows.length === 0) {
  console.error(`There is no such row. Rows: ${ROWS.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const scale = values.smoke ? SMOKE : FULL;
const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
const root = await mkdtemp(join(tmpdir(), 'berth-bench-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));
const issuer = await startIssuer();
const catalogs = new Map<number, Promise<CatalogDir>>();
const compileCatalog = async (servers: number): Promise<CatalogDir> => {
  const catalog = await writeCatalog(join(root, String(servers)), servers, issuer.url);
  // Its first start compiles everything.
  await (await startBerth(values.berth, catalog, 'free')).stop();
  return catalog;
};
const context: BenchContext = {
  scale,
  issuer,
  berth: values.berth,
  load: hasWrk ? generateWithWrk : generateWithAutocannon,
  tokens: await issueMany(issuer, SOURCE_COUNT, callerClaims),
  catalog: (servers) => {
    const known = catalogs.get(servers) ?? compileCatalog(servers);
    catalogs.set(servers, known);
    return known;
  },
  serve: (catalog, place = 'server') => startBerth(values.berth, catalog, place),
};

console.log(
  `Node ${process.version}, ${cpus()[0]?.model.trim()} x ${cpus().length}, load average ${loadavg()[0]?.toFixed(1)}, ` +
    `generator ${hasWrk ? 'wrk' : 'autocannon'}, ${CAN_PIN ? 'server and generator on a core each' : 'cores not chosen'}`,
);
const outcomes: Outcome[] = [];
for (const row of rows) {
  const begun = performance.now();
  const measured = await row.measure(context);
  outcomes.push(...measured);
  for (const { what, measured: value } of measured) console.error(`  ${what}: ${value}`);
  console.error(`  ${row.name} took ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}
await issuer.close();
console.log(formatTable(outcomes, scale.judges));
