import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Outcome, Row } from '../bench-context.ts';
import { median } from '../median.ts';

const MOST_SECONDS = 90;
const summarySchema = z.object({ pages: z.number(), seconds: z.number() });

/** `berth site export` of everything there is, each time in a fresh process into a new folder. */
export const exportRow: Row = {
  name: 'export',
  async measure({ scale, berth, catalog }): Promise<readonly Outcome[]> {
    const { configFile, servers } = await catalog(scale.compiled);
    const env = { ...process.env, BERTH_AUTH_MODE: 'anonymous' };
    const seconds: number[] = [];
    let pages = 0;
    for (let run = 0; run < scale.runs; run++) {
      const dir = await mkdtemp(join(tmpdir(), 'bench-export-'));
      try {
        const words = [
          'site',
          'export',
          '--config',
          configFile,
          '--out',
          join(dir, 'pub'),
          '--format',
          'json',
        ];
        const { stdout } = await promisify(execFile)(process.execPath, [berth, ...words], { env });
        const done = summarySchema.parse(JSON.parse(stdout));
        seconds.push(done.seconds);
        pages = done.pages;
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    }
    const [entries, written] = [servers, pages].map((count) => count.toLocaleString('en-US'));
    return [
      {
        what: `site export of ${entries} entries with two versions each, ${written} pages`,
        measured: `${median(seconds).toFixed(1)} s`,
        target: `< ${MOST_SECONDS} s`,
        isMet: median(seconds) < MOST_SECONDS,
      },
    ];
  },
};
