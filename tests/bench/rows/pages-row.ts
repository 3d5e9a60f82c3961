import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BenchContext, Outcome, Row } from '../bench-context.ts';
import { type CatalogDir, REGISTRY } from '../catalog/write-catalog.ts';
import { median } from '../median.ts';

const PAGES = [
  { what: 'a list of 24', most: 5, pathOf: () => `/catalog/${REGISTRY}` },
  { what: 'an entry', most: 3, pathOf: (name: string) => `/catalog/${REGISTRY}/servers/${name}` },
];

/** Pages of the catalog as a client gets them one after the other on one connection; none is kept by the service. */
export const pagesRow: Row = {
  name: 'pages',
  async measure(context): Promise<readonly Outcome[]> {
    const catalog = await context.catalog(context.scale.usual);
    const { origin, stop } = await context.serve({ configFile: await turnPagesOn(catalog) });
    try {
      const names = await listNames(context, origin);
      const outcomes: Outcome[] = [];
      for (const { what, most, pathOf } of PAGES) {
        const ms = await measurePages(context, origin, names.map(pathOf));
        outcomes.push({
          what: `page of the site, ${catalog.servers.toLocaleString('en-US')} servers: ${what}`,
          measured: `${ms.toFixed(2)} ms`,
          target: `< ${most} ms`,
          isMet: ms < most,
        });
      }
      return outcomes;
    } finally {
      await stop();
    }
  },
};

/** The other rows serve without pages. @returns the configuration with them */
async function turnPagesOn({ configFile }: Pick<CatalogDir, 'configFile'>): Promise<string> {
  const config: object = JSON.parse(await readFile(configFile, 'utf8'));
  const withPages = join(dirname(configFile), 'pages.config.yaml');
  await writeFile(withPages, JSON.stringify({ ...config, site: {} }));
  return withPages;
}

const callerOf = ({ tokens }: BenchContext) => ({ Authorization: `Bearer ${tokens[0]}` });

/** Names the caller sees, enough for pages that differ. */
async function listNames(context: BenchContext, origin: string): Promise<string[]> {
  const path = `/registry/${REGISTRY}/v0.1/servers?version=latest&limit=100`;
  const answer = await fetch(origin + path, { headers: callerOf(context) });
  const { servers }: { servers: { server: { name: string } }[] } = JSON.parse(await answer.text());
  return servers.map(({ server }) => server.name);
}

/** @returns the median time of an answer, in milliseconds, as the client sees it */
async function measurePages(
  context: BenchContext,
  origin: string,
  paths: readonly string[],
): Promise<number> {
  const rounds = context.scale.judges ? 4 : 1;
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const path of paths) {
      const begun = performance.now();
      const answer = await fetch(origin + path, { headers: callerOf(context) });
      await answer.text();
      if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`);
      times.push(performance.now() - begun);
    }
  }
  // What comes first loads what pages are made of.
  return median(times.slice(times.length >> 2));
}
