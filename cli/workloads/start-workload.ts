import { BerthError, messageOf } from '../../sources/errors.ts';
import type { Engine } from '../engine/engine.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { UserDirectories } from '../user-directories.ts';
import { cleanEngine } from './clean-engine.ts';
import { launchSupervisor } from './launch-supervisor.ts';
import { findSupervisor } from './observe-workload.ts';
import { prepareWorkload } from './prepare-workload.ts';
import { identifyProcess } from './process-identity.ts';
import { requireWorkload } from './require-workload.ts';
import type { StartSteps } from './start-steps.ts';
import { endSupervisor } from './stop-workload.ts';
import type { WorkloadStore } from './workload-store.ts';

export interface StartOptions {
  readonly store: WorkloadStore;
  readonly directories: UserDirectories;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly findEngine: () => Promise<Engine>;
  readonly openSecrets: () => Promise<SecretStore>;
  /** How long the server may take to answer. Milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly steps: StartSteps;
}

/**
 * Starts a workload that does not run, at the URL it had. One that runs is left alone.
 * @returns whether it was started
 * @throws StartFailure and what preparing throws; the state then says why
 */
export async function startWorkload(options: StartOptions, name: string): Promise<boolean> {
  const { store, directories, env, findEngine, timeoutMs, signal, steps } = options;
  const found = await requireWorkload(store, name);
  // It stands there, but can do nothing before somebody logs in, which is asked for here.
  if (found.status === 'unauthenticated') await endSupervisor({}, found);
  let alreadyRuns = false;
  const state = await store.update(name, (before) => {
    // Looked at under the lock: of two that start it, one does.
    alreadyRuns = findSupervisor(before) !== undefined;
    const { reason: _, ...rest } = before;
    return alreadyRuns ? before : { ...rest, status: 'starting', restarts: 0, supervisor: identifyProcess() };
  });
  if (alreadyRuns) return false;
  if (state === undefined) throw new BerthError('workload_unknown', `The workload "${name}" was removed.`);
  try {
    const { imageId } = await prepareWorkload(state.plan, {
      findEngine,
      openSecrets: options.openSecrets,
      directories,
      env,
      signal,
      onProgress: steps.show,
      onWarning: steps.warn,
      isTerminal: steps.isTerminal,
      showLink: steps.showLink,
      previousImageId: state.imageId,
    });
    if (imageId !== state.imageId && imageId !== undefined)
      await store.update(name, (now) => ({ ...now, imageId }));
    steps.show({ text: `Starting ${name}` });
    const { passwordForChild } = await import('../secrets/open-secret-store.ts');
    const password = passwordForChild(await options.openSecrets());
    await launchSupervisor({
      name,
      timeoutMs,
      discard: false,
      env: {
        ...process.env,
        ...env,
        ...(password === undefined ? {} : { BERTH_SECRETS_PASSWORD: password }),
      },
      signal,
      onProgress: (text) => steps.show({ text }),
      onNote: steps.warn,
    });
    return true;
  } catch (error) {
    await forgetStart(options, name, error);
    throw error;
  } finally {
    steps.end();
  }
}

/** What a supervisor that was not there, or was killed, could not write down and clear away. */
async function forgetStart({ store, findEngine }: StartOptions, name: string, why: unknown): Promise<void> {
  let own = false;
  const state = await store.update(name, (before) => {
    own = before.supervisor === undefined || before.supervisor.pid === process.pid || !findSupervisor(before);
    if (!own || before.status === 'error' || before.status === 'stopped') return before;
    const { supervisor: _, ...rest } = before;
    const isLogin = why instanceof BerthError && why.code.startsWith('remote_auth_');
    return { ...rest, status: isLogin ? 'unauthenticated' : 'error', reason: messageOf(why) };
  });
  if (!own || state === undefined || state.plan.server.kind === 'remote') return;
  const engine = await findEngine().catch(() => undefined);
  if (engine) await cleanEngine(engine, store.paths.owner, name);
}
