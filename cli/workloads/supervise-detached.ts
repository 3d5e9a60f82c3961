import { BerthError } from '../../sources/errors.ts';
import type { UserDirectories } from '../user-directories.ts';
import { SYSTEM_CLOCK } from './clock.ts';
import { openParts } from './open-parts.ts';
import { readLastLines } from './read-last-lines.ts';
import { createRemoveContext } from './remove-context.ts';
import { removeWorkload } from './remove-workload.ts';
import type { Parent } from './report-to-parent.ts';
import { superviseWorkload } from './supervise-workload.ts';
import { packError } from './supervisor-messages.ts';
import type { WorkloadStore } from './workload-store.ts';

export interface SuperviseDetachedOptions {
  readonly name: string;
  readonly timeoutMs: number;
  /** Forget the workload when it cannot be started. */
  readonly discard: boolean;
  readonly store: WorkloadStore;
  readonly directories: UserDirectories;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly parent: Parent;
}

/**
 * Supervises a workload in a process of its own and tells the one that waits how it went. Answers the exit code.
 */
export async function superviseDetached(options: SuperviseDetachedOptions): Promise<number> {
  const { name, store, parent, timeoutMs, directories, env } = options;
  const stop = new AbortController();
  const interrupted = new BerthError('interrupted', 'The start was interrupted.');
  const end = () => stop.abort(interrupted);
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  // Its terminal is not ours.
  process.on('SIGHUP', () => {});
  void parent.gone.then(end);
  const findEngine = createEngineFinder(env, directories);
  const openSecrets = async () => {
    const { openSecretStore } = await import('../secrets/open-secret-store.ts');
    return openSecretStore({ directories, env });
  };
  try {
    await superviseWorkload({
      name,
      store,
      clock: SYSTEM_CLOCK,
      signal: stop.signal,
      restarts: true,
      openParts(state, signal) {
        return openParts(
          state,
          {
            directories,
            paths: store.paths,
            env,
            clock: SYSTEM_CLOCK,
            timeoutMs,
            findEngine,
            openSecrets,
          },
          signal,
        );
      },
      onReady: () => void parent.send({ kind: 'ready' }).then(() => parent.leave()),
    });
    return 0;
  } catch (error) {
    const logTail = await readLastLines(store.paths.serverLog(name));
    if (options.discard) {
      const context = {
        store,
        directories,
        findEngine: () => findEngine().catch(() => undefined),
        openSecrets,
        keepsSecrets: true,
      };
      await removeWorkload(createRemoveContext(context), name).catch(() => undefined);
    }
    await parent.send({ kind: 'failed', failure: packError(error), logTail });
    parent.leave();
    return 1;
  }
}

function createEngineFinder(env: Readonly<Record<string, string | undefined>>, { home }: UserDirectories) {
  return async () => {
    const { findEngine } = await import('../engine/find-engine.ts');
    return findEngine(env, { home });
  };
}
