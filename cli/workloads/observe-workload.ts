import { isProcessAlive, type ProcessIdentity } from './process-identity.ts';
import type { WorkloadState, WorkloadStatus } from './workload-state.ts';

/** A workload as `list` and `status` show it (contract 8), and why it is so. */
export interface ObservedWorkload {
  readonly name: string;
  readonly status: WorkloadStatus;
  readonly reason: string | undefined;
  readonly url: string | undefined;
  readonly transport: string;
  readonly group: string;
  readonly package: string;
  readonly created: string;
}

/** What the state says, corrected by whether anybody stands behind it. Changes nothing. */
export function observeWorkload(
  state: WorkloadState,
  isAlive: (owner: ProcessIdentity) => boolean = isProcessAlive,
): ObservedWorkload {
  const { plan, url, created } = state;
  return {
    name: plan.name,
    ...observeStatus(state, isAlive),
    url,
    transport: plan.transport,
    group: plan.group,
    package: state.package,
    created,
  };
}

/** The members of `list --format json`, in the order of contract 8. */
export function toListed({ name, status, url, transport, group, package: what, created }: ObservedWorkload) {
  return { name, status, url: url ?? null, transport, group, package: what, created };
}

/** The process that looks after the workload, when it still runs. */
export function findSupervisor(
  { supervisor }: Pick<WorkloadState, 'supervisor'>,
  isAlive: (owner: ProcessIdentity) => boolean = isProcessAlive,
): ProcessIdentity | undefined {
  return supervisor !== undefined && isAlive(supervisor) ? supervisor : undefined;
}

function observeStatus(
  state: WorkloadState,
  isAlive: (owner: ProcessIdentity) => boolean,
): { readonly status: WorkloadStatus; readonly reason: string | undefined } {
  const { status, reason } = state;
  if (status === 'stopped' || status === 'error') return { status, reason };
  if (findSupervisor(state, isAlive)) return { status, reason };
  // Without a supervisor nothing of it answers, whatever was written last.
  if (status === 'unauthenticated') return { status, reason };
  return { status: 'error', reason: `its supervisor ended without a word while it was ${status}` };
}
