import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Ran, runBerth } from './run-command.ts';
import { makeDirectory } from './temporary-directory.ts';

/** A user of `berth run` with directories of his own, whose workloads go when the test ends. */
export interface WorkloadSandbox {
  readonly env: Readonly<Record<string, string>>;
  readonly state: string;
  berth(...args: readonly string[]): Promise<Ran>;
  /** @throws when it does not exit with 0 */
  must(...args: readonly string[]): Promise<Ran>;
}

const LIMIT_MS = 120_000;

export function makeWorkloadSandbox(more: Readonly<Record<string, string>> = {}): WorkloadSandbox {
  const root = makeDirectory();
  const env: Record<string, string> = { BERTH_SECRETS_PASSWORD: 'test', ...more };
  for (const name of ['HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME']) {
    env[name] = join(root, name.toLowerCase());
    mkdirSync(join(root, name.toLowerCase()));
  }
  const berth = (...args: readonly string[]) => runBerth(args, { env, timeout: LIMIT_MS });
  onTestFinished(async () => {
    await berth('rm', '--all');
  }, LIMIT_MS);
  return {
    env,
    state: join(root, 'xdg_state_home', 'berth'),
    berth,
    async must(...args) {
      const ran = await berth(...args);
      if (ran.code !== 0)
        throw new Error(`berth ${args.join(' ')}: exit ${ran.code}: ${ran.stderr}${ran.stdout}`);
      return ran;
    },
  };
}

/** A name no other test has. */
export function makeWorkloadName(hint: string): string {
  return `berth-test-${Math.random().toString(36).slice(2, 8)}-${hint}`;
}
