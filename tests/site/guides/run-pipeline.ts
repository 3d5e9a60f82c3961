import { dirname } from 'node:path';
import { findCommand, ROOT } from '../../support/built-command.ts';
import { listStandIns } from './not-run.ts';
import type { Reader } from './reader.ts';
import type { PipelineScript } from './workflow-scripts.ts';

const standIns = listStandIns(ROOT, dirname(findCommand()));

/**
 * Runs the scripts of a pipeline where the reader is, as a machine does that was made for it: Berth is not there.
 * @param variables of every script
 * @returns the code and output of the first script that fails, else 0 and nothing
 */
export async function runPipeline(
  reader: Reader,
  scripts: readonly PipelineScript[],
  variables: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string }> {
  await reader.run('rm -rf ~/berth');
  for (const { script, env } of scripts) {
    const given = Object.entries({ ...variables, ...env }).map(([name, value]) => `${name}='${value}'`);
    reader.write('../ci-script.sh', replaceLines(script));
    const { code, output } = await reader.run(`env ${given.join(' ')} bash -e -o pipefail ../ci-script.sh`);
    if (code !== 0) return { code, output };
  }
  return { code: 0, output: '' };
}

/** The lines that a test cannot run, replaced by what it has instead. */
function replaceLines(script: string): string {
  return script
    .split('\n')
    .map((line) => standIns.find(({ starts }) => line.startsWith(starts))?.instead ?? line)
    .join('\n');
}
