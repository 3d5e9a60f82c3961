import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Outcome, Row } from '../bench-context.ts';
import { median } from '../median.ts';
import { directoriesIn } from '../processes/directories-in.ts';

const COMMANDS = [
  { args: ['--help'], most: 150 },
  { args: ['list'], most: 250 },
];

/** What a user waits for before anything was asked of anybody: the median of starts one after the other. */
export const commandRow: Row = {
  name: 'command',
  async measure({ scale, berth }): Promise<readonly Outcome[]> {
    const home = await mkdtemp(join(tmpdir(), 'bench-command-'));
    try {
      const outcomes: Outcome[] = [];
      for (const { args, most } of COMMANDS) {
        const times: number[] = [];
        const env = { ...process.env, ...directoriesIn(home) };
        for (let run = 0; run < scale.runs * 5; run++) {
          const begun = performance.now();
          await promisify(execFile)(process.execPath, [berth, ...args], { env });
          times.push(performance.now() - begun);
        }
        const ms = median(times);
        const least = Math.min(...times).toFixed(0);
        outcomes.push({
          what: `berth ${args.join(' ')}`,
          measured: `${ms.toFixed(0)} ms (quickest ${least} ms)`,
          target: `< ${most} ms`,
          isMet: ms < most,
        });
      }
      return outcomes;
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
};
