import { setTimeout as wait } from 'node:timers/promises';
import { BerthError } from '../../sources/errors.ts';
import type { Engine } from '../engine/engine.ts';
import { cleanEngine } from './clean-engine.ts';
import { findSupervisor } from './observe-workload.ts';
import { isProcessAlive, type ProcessIdentity } from './process-identity.ts';
import type { WorkloadState } from './workload-state.ts';
import type { WorkloadStore } from './workload-store.ts';

const LOOK_MS = 40;
/** A graceful stop: streams of clients 5 s, container 10 s, and what else takes time. */
const STOP_MS = 40_000;
const KILL_MS = 5_000;

export interface StopContext {
  readonly store: WorkloadStore;
  /** Called only when a container may have been left behind. */
  readonly findEngine: () => Promise<Engine | undefined>;
  readonly stopMs?: number;
}

/**
 * Stops a workload: asks its supervisor, and clears away what a supervisor that was killed left behind. Does nothing
 * to one that is stopped.
 *
 * @throws BerthError `supervisor_stuck`, or of the engine when something may be left that cannot be reached
 */
export async function stopWorkload(context: StopContext, state: WorkloadState): Promise<void> {
  const { store } = context;
  const { name } = state.plan;
  const asked = await endSupervisor(context, state);
  if (!asked || (await store.read(name))?.supervisor !== undefined) await clearLeftovers(context, state);
  await store.update(name, (before) => {
    if (before.status === 'removing') return before;
    const { supervisor: _, reason: __, ...rest } = before;
    return { ...rest, status: 'stopped' };
  });
}

/**
 * Ends the process that looks after a workload. Answers whether there was one, and it ended by itself.
 * @throws BerthError `supervisor_stuck`
 */
export async function endSupervisor(
  { stopMs = STOP_MS }: Pick<StopContext, 'stopMs'>,
  state: WorkloadState,
): Promise<boolean> {
  const supervisor = findSupervisor(state);
  // A run that takes back what it began is the supervisor itself.
  if (supervisor === undefined || supervisor.pid === process.pid) return false;
  send(supervisor, 'SIGTERM');
  if (await isGone(supervisor, stopMs)) return true;
  send(supervisor, 'SIGKILL');
  if (await isGone(supervisor, KILL_MS)) return false;
  throw new BerthError(
    'supervisor_stuck',
    `The supervisor of "${state.plan.name}" (process ${supervisor.pid}) cannot be ended.`,
  );
}

/** @throws BerthError of the engine */
export async function clearLeftovers(
  { findEngine, store }: Pick<StopContext, 'findEngine' | 'store'>,
  { plan }: Pick<WorkloadState, 'plan'>,
): Promise<void> {
  if (plan.server.kind === 'remote') return;
  await cleanEngine(await findEngine(), store.paths.owner, plan.name);
}

function send({ pid }: ProcessIdentity, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function isGone(supervisor: ProcessIdentity, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (isProcessAlive(supervisor)) {
    if (performance.now() > end) return false;
    await wait(LOOK_MS);
  }
  return true;
}
