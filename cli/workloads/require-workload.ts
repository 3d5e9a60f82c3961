import { suggestName } from '../../sources/config/nearest-name.ts';
import { BerthError } from '../../sources/errors.ts';
import type { WorkloadState } from './workload-state.ts';
import type { WorkloadStore } from './workload-store.ts';

/** @throws BerthError `workload_unknown` with the nearest name, `state_corrupt` */
export async function requireWorkload(store: WorkloadStore, name: string): Promise<WorkloadState> {
  await requireName(store, name);
  const state = await store.read(name);
  if (state) return state;
  throw await unknownWorkload(store, name);
}

/** Like `requireWorkload`, for what works with a state that cannot be read too. */
export async function requireName(store: WorkloadStore, name: string): Promise<void> {
  if (!(await store.names()).includes(name)) throw await unknownWorkload(store, name);
}

async function unknownWorkload(store: WorkloadStore, name: string): Promise<BerthError> {
  const known = await store.names();
  return new BerthError('workload_unknown', `There is no workload "${name}".`, {
    fix: suggestName(name, known) ?? 'See `berth list --all`.',
  });
}
