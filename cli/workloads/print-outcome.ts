import type { WorkloadPaths } from './workload-paths.ts';
import type { WorkloadState } from './workload-state.ts';

/** What `run --format json` prints (contract 8). */
export function describeOutcome({ plan, url, isolation }: WorkloadState, paths: WorkloadPaths) {
  return { name: plan.name, url, transport: plan.transport, isolation, log: paths.serverLog(plan.name) };
}

/** The same for people. */
export function printOutcome(state: WorkloadState, paths: WorkloadPaths): readonly string[] {
  const { name, url, transport, isolation, log } = describeOutcome(state, paths);
  return [
    `${name} is running`,
    `  URL:        ${url}`,
    `  Transport:  ${transport}`,
    `  Isolation:  ${isolation}`,
    `  Log:        ${log}`,
  ];
}
