import type { Outcome, Row } from '../bench-context.ts';
import { median } from '../median.ts';
import { runScript } from '../processes/run-script.ts';

type Page = 'first' | 'list' | 'filtered' | 'search' | 'detail' | 'published';

const PAGES: readonly (readonly [page: Page, what: string, mostMs: number | undefined])[] = [
  ['first', 'the first page after the bundles were opened', 200],
  ['list', 'a list of 24', 1],
  ['filtered', 'a list by tag and transport', 1],
  ['search', 'a search by package type', undefined],
  ['detail', 'an entry', 1],
  ['published', 'a list right after a publish', 2],
];

/** What a page of the catalog is given, for a caller who sees all of 40 sources, without rendering it. */
export const siteRow: Row = {
  name: 'site',
  async measure({ scale, catalog }): Promise<readonly Outcome[]> {
    const { dir, servers } = await catalog(scale.usual);
    const input = { dir, servers, times: scale.judges ? 600 : 60 };
    const runs: Record<Page, number>[] = [];
    for (let run = 0; run < scale.runs; run++) {
      runs.push(await runScript<Record<Page, number>>('server', 'read-site.ts', input));
    }
    return PAGES.map(([page, what, mostMs]) => {
      const ms = median(runs.map((result) => result[page]));
      return {
        what: `site, ${servers.toLocaleString('en-US')} servers: ${what}`,
        measured: `${ms.toFixed(ms < 10 ? 2 : 0)} ms`,
        ...(mostMs === undefined ? {} : { target: `< ${mostMs} ms`, isMet: ms < mostMs }),
      };
    });
  },
};
