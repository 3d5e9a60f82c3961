import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome, Row } from '../bench-context.ts';
import { makeServer } from '../catalog/make-server.ts';
import { formatCatalog } from '../catalog/write-catalog.ts';
import { median } from '../median.ts';
import { runScript } from '../processes/run-script.ts';

const MOST_MS = 1500;
const MOST_UNCHANGED_MS = 150;

/** One file source: read, validated, compiled, stored; and again when nothing changed, each in a fresh process. */
export const compileRow: Row = {
  name: 'compile',
  async measure({ scale }): Promise<readonly Outcome[]> {
    const cold: number[] = [];
    const unchanged: number[] = [];
    const catalog = formatCatalog(
      Array.from({ length: scale.compiled }, (_, number) =>
        makeServer(number >> 1, number % 2 ? '1.5.0' : '1.4.2'),
      ),
    );
    for (let run = 0; run < scale.runs; run++) {
      const dir = await mkdtemp(join(tmpdir(), 'bench-compile-'));
      try {
        await writeFile(join(dir, 'catalog.json'), catalog);
        cold.push((await runScript<{ ms: number }>('server', 'refresh-source.ts', { dir })).ms);
        unchanged.push((await runScript<{ ms: number }>('server', 'refresh-source.ts', { dir })).ms);
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    }
    const entries = scale.compiled.toLocaleString('en-US');
    return [
      describe(`compile ${entries} entries`, median(cold), MOST_MS),
      describe(`the same source unchanged`, median(unchanged), MOST_UNCHANGED_MS),
    ];
  },
};

function describe(what: string, ms: number, most: number): Outcome {
  return { what, measured: `${(ms / 1000).toFixed(3)} s`, target: `< ${most / 1000} s`, isMet: ms < most };
}
