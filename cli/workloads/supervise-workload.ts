import { BerthError, messageOf } from '../../sources/errors.ts';
import { LABELS } from '../engine/engine.ts';
import { watchHealth } from './check-health.ts';
import type { Clock } from './clock.ts';
import { identifyProcess } from './process-identity.ts';
import { ServerKeeper } from './server-keeper.ts';
import type { SupervisedParts } from './supervised-parts.ts';
import type { WorkloadState, WorkloadStatus } from './workload-state.ts';
import type { WorkloadStore } from './workload-store.ts';

export interface SuperviseOptions {
  readonly name: string;
  readonly store: WorkloadStore;
  readonly clock: Clock;
  /** Opens everything the workload is made of; closed again by the supervisor. */
  readonly openParts: (state: WorkloadState, signal: AbortSignal) => Promise<SupervisedParts>;
  /** Aborted to stop the workload gracefully. */
  readonly signal: AbortSignal;
  /** Whether a server that exits after it was ready is started again; a foreground run ends with it instead. */
  readonly restarts: boolean;
  readonly onReady: (state: WorkloadState) => void;
}

/** How supervising ended without an error of the start. */
export type SupervisedEnd =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'exited'; readonly why: BerthError; readonly exitCode: number | undefined };

/**
 * Runs one workload until it is told to stop: proxy, container, restarts, state (contract 3). When it returns or
 * throws, nothing of the workload runs any more; its state stays.
 *
 * @throws BerthError why it could not be started, or the reason of the signal while it started
 */
export async function superviseWorkload(options: SuperviseOptions): Promise<SupervisedEnd> {
  const { name, store } = options;
  const state = await store.update(name, (before) => ({
    ...withoutReason(before),
    status: before.status === 'removing' ? 'removing' : 'starting',
    supervisor: identifyProcess(),
  }));
  if (state === undefined || state.status === 'removing') {
    throw new BerthError('workload_unknown', `The workload "${name}" was removed.`);
  }
  let end: SupervisedEnd;
  try {
    end = await runParts(options, state);
  } catch (error) {
    await record(store, name, { status: 'error', reason: messageOf(error), isLast: true });
    throw error;
  }
  const failure = end.kind === 'exited' ? end.why.message : undefined;
  await record(store, name, {
    status: failure === undefined ? 'stopped' : 'error',
    reason: failure,
    isLast: true,
  });
  return end;
}

async function runParts(options: SuperviseOptions, state: WorkloadState): Promise<SupervisedEnd> {
  const { clock, signal } = options;
  const parts = await options.openParts(state, signal);
  const stops: (() => Promise<void> | void)[] = [];
  try {
    const writes = new StatusWriter(options);
    const keeper = new ServerKeeper(parts.launcher, parts.awaitReady, clock, (status, reason) => {
      parts.log(
        status === 'running' ? 'info' : 'warn',
        reason === undefined ? {} : { reason },
        `workload is ${status}`,
      );
      if (status === 'starting') writes.countRestart();
      writes.set(status, reason);
    });
    stops.push(() => keeper.end());
    let end: (end: SupervisedEnd) => void = () => {};
    const exited = new Promise<SupervisedEnd>((resolve) => {
      end = resolve;
    });
    stops.push(watchEngine(options, parts, keeper, (how) => end(how)));
    parts.onUnauthenticated((reason) => writes.set('unauthenticated', reason));
    await keeper.begin(signal);
    const ready = await writes.ready(parts.proxy.url, parts.proxy.port);
    stops.push(watchAnswers(parts, clock, keeper, writes));
    await parts.onReady(ready);
    options.onReady(ready);
    const givenUp = keeper.givenUp.then(
      (why): SupervisedEnd => ({ kind: 'exited', why, exitCode: undefined }),
    );
    const ended = await Promise.race([whenAborted(signal), givenUp, exited]);
    await writes.settle();
    return ended;
  } finally {
    for (const stop of stops.reverse()) await stop();
    await parts.close();
  }
}

function watchEngine(
  { name, restarts }: SuperviseOptions,
  { engine, launcher, owner, log }: SupervisedParts,
  keeper: ServerKeeper,
  end: (end: SupervisedEnd) => void,
): () => void {
  if (engine === undefined || launcher.takeEvent === undefined) return () => {};
  const trouble = (error: unknown) =>
    log('error', { error: messageOf(error) }, 'the engine could not be dealt with');
  const watch = engine.watchContainers(`${LABELS.workload}=${name}`, {
    onEvent(event) {
      if (event.labels[LABELS.owner] !== owner) return;
      if (event.labels[LABELS.role] === 'gateway') {
        if (event.action === 'die' && keeper.isUp) launcher.reconnect?.().catch(trouble);
        return;
      }
      void launcher.takeEvent?.(event).then((why) => {
        if (why === undefined) return;
        log('warn', { exitCode: event.exitCode }, why.message);
        if (keeper.isUp && !restarts) end({ kind: 'exited', why, exitCode: event.exitCode });
        else keeper.exited(why);
      }, trouble);
    },
    onLost: () => keeper.lost(),
    onBack: () => void keeper.back().catch(trouble),
  });
  return () => watch.stop();
}

function watchAnswers(
  { askHealth, log }: SupervisedParts,
  clock: Clock,
  keeper: ServerKeeper,
  writes: StatusWriter,
): () => void {
  if (askHealth === undefined) return () => {};
  const watch = watchHealth(
    () => (keeper.isUp ? askHealth() : undefined),
    clock,
    (healthy) => {
      log(healthy ? 'info' : 'warn', {}, healthy ? 'the server answers again' : 'the server does not answer');
      if (keeper.isUp)
        writes.set(healthy ? 'running' : 'unhealthy', healthy ? undefined : 'it does not answer');
    },
  );
  return () => watch.stop();
}

/** Writes one status after the other into the state, the last one last. */
class StatusWriter {
  readonly #options: SuperviseOptions;
  #last: Promise<unknown> = Promise.resolve();
  #restarts = 0;

  constructor(options: SuperviseOptions) {
    this.#options = options;
  }

  countRestart(): void {
    this.#restarts++;
  }

  set(status: WorkloadStatus, reason: string | undefined): void {
    const { store, name } = this.#options;
    const restarts = this.#restarts;
    this.#last = this.#last
      .then(() => record(store, name, { status, reason, restarts }))
      .catch(() => undefined);
  }

  /** @throws BerthError `workload_unknown` when the workload was removed meanwhile */
  async ready(url: string, port: number): Promise<WorkloadState> {
    await this.settle();
    const { store, name } = this.#options;
    const ready = await store.update(name, (before) =>
      before.status === 'removing' ? before : { ...withoutReason(before), status: 'running', url, port },
    );
    if (ready !== undefined && ready.status !== 'removing') return ready;
    throw new BerthError('workload_unknown', `The workload "${name}" was removed.`);
  }

  async settle(): Promise<void> {
    await this.#last;
  }
}

interface Recorded {
  readonly status: WorkloadStatus;
  readonly reason: string | undefined;
  readonly restarts?: number;
  /** The supervisor ends with it. */
  readonly isLast?: boolean;
}

async function record(store: WorkloadStore, name: string, recorded: Recorded): Promise<void> {
  const { status, reason, restarts, isLast = false } = recorded;
  await store.update(name, (before) => {
    if (before.status === 'removing') return before;
    const { supervisor, ...rest } = withoutReason(before);
    return {
      ...rest,
      status,
      restarts: restarts ?? before.restarts,
      ...(reason === undefined ? {} : { reason }),
      ...(isLast || supervisor === undefined ? {} : { supervisor }),
    };
  });
}

function withoutReason({ reason: _, ...state }: WorkloadState): WorkloadState {
  return state;
}

function whenAborted(signal: AbortSignal): Promise<SupervisedEnd> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve({ kind: 'stopped' });
    signal.addEventListener('abort', () => resolve({ kind: 'stopped' }), { once: true });
  });
}
