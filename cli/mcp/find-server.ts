import { suggestName } from '../../sources/config/nearest-name.ts';
import { BerthError } from '../../sources/errors.ts';
import type { UserDirectories } from '../user-directories.ts';
import { observeWorkload } from '../workloads/observe-workload.ts';
import { findWorkloadPaths } from '../workloads/workload-paths.ts';
import { WorkloadStore } from '../workloads/workload-store.ts';

/** Statuses in which a proxy may answer. */
const ANSWERING = ['starting', 'running', 'unhealthy', 'unauthenticated'];

/**
 * The URL of a running workload; a URL is answered as it is.
 * @throws BerthError `workload_unknown` with the nearest name, `workload_not_running`
 */
export async function findServer(directories: UserDirectories, nameOrUrl: string): Promise<URL> {
  if (/^https?:\/\//i.test(nameOrUrl) && URL.canParse(nameOrUrl)) return new URL(nameOrUrl);
  const store = new WorkloadStore(findWorkloadPaths(directories));
  const names = await store.names();
  const state = names.includes(nameOrUrl) ? await store.read(nameOrUrl) : undefined;
  if (!state) {
    throw new BerthError('workload_unknown', `There is no workload "${nameOrUrl}".`, {
      fix: suggestName(nameOrUrl, names) ?? 'See "berth list --all", or give a URL.',
    });
  }
  const { url, status, reason } = observeWorkload(state);
  if (url !== undefined && ANSWERING.includes(status)) return new URL(url);
  throw new BerthError(
    'workload_not_running',
    `The workload "${nameOrUrl}" does not run: it is ${status}${reason === undefined ? '' : ` (${reason})`}.`,
    { fix: `Start it with "berth start ${nameOrUrl}".` },
  );
}
