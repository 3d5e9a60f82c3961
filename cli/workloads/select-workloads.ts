import { UsageError } from '../usage-error.ts';
import type { GroupStore } from './group-store.ts';
import { requireName } from './require-workload.ts';
import type { WorkloadStore } from './workload-store.ts';

export interface Selection {
  readonly names: readonly string[];
  readonly all: boolean;
  readonly group: string | undefined;
}

/**
 * The workloads that names, `--all` or `--group` mean, each once.
 * @throws UsageError when nothing or two of them are given
 * @throws BerthError `workload_unknown`, `group_unknown`
 */
export async function selectWorkloads(
  store: WorkloadStore,
  groups: GroupStore,
  { names, all, group }: Selection,
): Promise<readonly string[]> {
  const given = [names.length > 0, all, group !== undefined].filter(Boolean).length;
  if (given !== 1) {
    throw new UsageError(
      given === 0 ? 'No workload is named.' : 'Names, --all and --group cannot be given together.',
      { fix: 'Give names, or --all, or --group.' },
    );
  }
  if (names.length > 0) {
    for (const name of names) await requireName(store, name);
    return [...new Set(names)];
  }
  if (all) return store.names();
  const wanted = group ?? '';
  await groups.require(wanted);
  const { states } = await store.list();
  return states.filter(({ plan }) => plan.group === wanted).map(({ plan }) => plan.name);
}
