import { join } from 'node:path';
import { type PlanInput, planSchema } from '../../../cli/run/plan.ts';
import { identifyProcess } from '../../../cli/workloads/process-identity.ts';
import { findWorkloadPaths } from '../../../cli/workloads/workload-paths.ts';
import { type WorkloadState, workloadStateSchema } from '../../../cli/workloads/workload-state.ts';
import { WorkloadStore } from '../../../cli/workloads/workload-store.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';

/** A workload that this process looks after. */
export function makeState(name: string, more: Partial<WorkloadState> = {}): WorkloadState {
  const input: PlanInput = {
    schemaVersion: '1',
    name,
    server: { kind: 'image', image: 'example/server:1' },
    transport: 'stdio',
    target: {},
    proxy: {},
    network: {},
    profile: {},
    ignore: {},
    limits: {},
  };
  return workloadStateSchema.parse({
    stateVersion: 1,
    plan: planSchema.parse(input),
    status: 'running',
    created: '2026-01-01T00:00:00.000Z',
    updated: '2026-01-01T00:00:00.000Z',
    package: 'example/server:1',
    isolation: 'egress: none',
    supervisor: identifyProcess(),
    ...more,
  });
}

/** A store in a directory of its own. */
export function makeStore(): WorkloadStore {
  return new WorkloadStore(findWorkloadPaths({ state: join(makeDirectory(), 'state', 'berth') }));
}
