import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { UserDirectories } from '../user-directories.ts';

/** Where the state directory keeps what. */
export interface WorkloadPaths {
  readonly workloads: string;
  readonly groups: string;
  readonly logs: string;
  /** Ids of the images that were built. */
  readonly images: string;
  /** Value of `LABELS.owner` for everything this state directory has in an engine. */
  readonly owner: string;
  state(name: string): string;
  /** What the server printed; older pieces are beside it as `.1`, `.2`. */
  serverLog(name: string): string;
  proxyLog(name: string): string;
  /** The directory of both logs. */
  logsOf(name: string): string;
  /** A directory for small files that go with the workload. */
  runtime(name: string): string;
}

export function findWorkloadPaths({ state }: Pick<UserDirectories, 'state'>): WorkloadPaths {
  const workloads = join(state, 'workloads');
  const logs = join(state, 'logs');
  const logsOf = (name: string) => join(logs, name);
  return {
    workloads,
    groups: join(state, 'groups.json'),
    logs,
    images: join(state, 'images.json'),
    owner: createHash('sha256').update(state).digest('hex').slice(0, 12),
    state: (name) => join(workloads, `${name}.json`),
    logsOf,
    runtime: (name) => join(state, 'runtime', name),
    serverLog: (name) => join(logsOf(name), 'server.log'),
    proxyLog: (name) => join(logsOf(name), 'proxy.log'),
  };
}
