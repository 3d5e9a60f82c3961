import type { UserDirectories } from '../user-directories.ts';
import { GroupStore } from '../workloads/group-store.ts';
import { observeWorkload } from '../workloads/observe-workload.ts';
import { findWorkloadPaths } from '../workloads/workload-paths.ts';
import { WorkloadStore } from '../workloads/workload-store.ts';
import { withClientRecords } from './client-records.ts';
import type { AiClient } from './client-table.ts';
import { changeRegistered } from './registered-clients.ts';
import { addToClients, type ClientWorkload, removeFromClients } from './update-clients.ts';

const SERVING = ['running', 'unhealthy', 'unauthenticated'];

export interface Registration {
  /** The workloads that were written. */
  readonly added: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Registers clients for the workloads of a group, and writes those that run already.
 * @throws BerthError `group_unknown`, `clients_corrupt`
 */
export async function registerClients(
  directories: UserDirectories,
  clients: readonly AiClient[],
  group: string,
): Promise<Registration> {
  const paths = findWorkloadPaths(directories);
  await new GroupStore(paths).require(group);
  await changeRegistered(directories, (registered) => {
    const names = [...new Set([...registered.map(({ name }) => name), ...clients.map(({ name }) => name)])];
    return names.map((name) => {
      const groups = registered.find((one) => one.name === name)?.groups ?? [];
      const isMeant = clients.some((client) => client.name === name) && !groups.includes(group);
      return { name, groups: isMeant ? [...groups, group] : groups };
    });
  });
  const { states } = await new WorkloadStore(paths).list();
  const warnings: string[] = [];
  const added: string[] = [];
  for (const observed of states.map((state) => observeWorkload(state))) {
    const { name, url, transport, status } = observed;
    if (observed.group !== group || url === undefined || !SERVING.includes(status)) continue;
    const workload: ClientWorkload = { name, url, transport, group };
    warnings.push(...(await addToClients(directories, workload)));
    added.push(name);
  }
  return { added, warnings: [...new Set(warnings)] };
}

/**
 * Forgets clients, and takes out of their files what was written.
 * @returns warnings of one line
 */
export async function unregisterClients(
  directories: UserDirectories,
  clients: readonly AiClient[],
): Promise<readonly string[]> {
  const names = clients.map(({ name }) => name);
  await changeRegistered(directories, (registered) => registered.filter(({ name }) => !names.includes(name)));
  const workloads = await withClientRecords(directories, async (records) =>
    [...records.values()]
      .filter(({ client }) => names.includes(client))
      .flatMap(({ entries }) => Object.keys(entries)),
  );
  const warnings: string[] = [];
  for (const workload of new Set(workloads)) {
    warnings.push(...(await removeFromClients(directories, workload, names)));
  }
  return [...new Set(warnings)];
}
