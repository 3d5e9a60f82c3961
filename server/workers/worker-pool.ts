import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { BerthError } from '../../sources/errors.ts';
import type { Log } from '../observe/log.ts';
import type { MetricsSnapshot } from '../observe/metrics.ts';
import { answerWorker, type PrimaryParts } from './answer-worker.ts';
import type { Member } from './change-hub.ts';
import { Channel, type Port } from './channel.ts';
import type { PrimaryCalls, WorkerCalls } from './process-calls.ts';
import { unpackFailure } from './sent-failure.ts';
import { WORKER_NUMBER } from './worker-number.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** A worker that lived so long was well; the next one is started at once again. */
const WELL_AFTER_MS = 10_000;
/** One that takes no requests by then never will. */
const START_WITHIN_MS = 60_000;
const ANSWER_WITHIN_MS = 1000;
/** Beyond the time for requests under way, to write what is to be written. */
const TIDY_MS = 5000;

export interface PoolOptions extends PrimaryParts {
  readonly size: number;
  readonly log: Log;
  /** The process of this number ended. */
  readonly onEnd: (worker: number) => void;
}

interface Running {
  readonly worker: Worker;
  readonly member: Member;
  readonly ended: Promise<void>;
}

/** The worker processes, by number from 1: each is replaced when it ends, with growing pauses when that goes on. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #running = new Map<number, Running>();
  readonly #failures = new Map<number, number>();
  readonly #stop = new AbortController();
  #started = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    // Objects keep members that are undefined, and maps stay maps.
    cluster.setupPrimary({ serialization: 'advanced' });
  }

  /**
   * Starts all workers; settles with the URL when all take requests.
   * @throws BerthError what kept one of them from starting, `worker_ended`
   */
  async start(): Promise<string> {
    const numbers = Array.from({ length: this.#options.size }, (_, index) => index + 1);
    const urls = await Promise.all(
      numbers.map((number) => new Promise<string>((resolve, reject) => this.#fork(number, resolve, reject))),
    );
    this.#started = true;
    process.on('SIGHUP', this.#passHangup);
    return urls[0] ?? '';
  }

  /** What workers that take requests lack; a sentence when there is none. */
  async listMissing(): Promise<string[]> {
    const { live } = this.#options.hub;
    if (live.length === 0) return ['no worker process takes requests'];
    const silent = ['a worker process does not answer'];
    const lists = await Promise.all(
      live.map(({ channel }) =>
        soon(
          channel.call('readMissing').catch((): readonly string[] => []),
          silent,
        ),
      ),
    );
    return [...new Set(lists.flat())];
  }

  /** Calls back with the metrics of each worker that answers soon. */
  async readMetrics(take: (worker: number, snapshot: MetricsSnapshot) => void): Promise<void> {
    await Promise.all(
      [...this.#running].map(async ([number, { member }]) => {
        const asked = member.channel.call('readMetrics').catch(() => undefined);
        const snapshot = await soon(asked, undefined);
        if (snapshot && this.#running.get(number)?.member === member) take(number, snapshot);
      }),
    );
  }

  /** Ends all workers: requests under way finish within `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#stop.abort();
    process.off('SIGHUP', this.#passHangup);
    const running = [...this.#running.values()];
    for (const { member } of running) member.channel.call('drain').catch(() => undefined);
    const force = setTimeout(() => {
      for (const { worker } of running) worker.process.kill('SIGKILL');
    }, graceMs + TIDY_MS);
    await Promise.all(running.map(({ ended }) => ended));
    clearTimeout(force);
  }

  readonly #passHangup = (): void => {
    for (const { worker, member } of this.#running.values()) if (member.live) worker.process.kill('SIGHUP');
  };

  #fork(number: number, onListening: (url: string) => void, onFailed: (error: BerthError) => void): void {
    const { hub, log } = this.#options;
    const forkedAt = performance.now();
    const worker = cluster.fork({ [WORKER_NUMBER]: String(number) });
    const pid = worker.process.pid;
    const own = {};
    const member: Member = {
      channel: new Channel<WorkerCalls>(portOf(worker), own),
      live: false,
      changing: new Map(),
    };
    const operations: PrimaryCalls = {
      ...answerWorker(this.#options, member),
      tellListening: async (url) => {
        member.live = true;
        log.info({ worker: number, worker_pid: pid }, 'worker process takes requests');
        onListening(url);
      },
      tellFailed: async (failure) => onFailed(unpackFailure(failure)),
    };
    // Nothing arrives within this turn.
    Object.assign(own, operations);
    hub.add(member);
    const stuck = setTimeout(() => {
      if (!member.live) worker.process.kill('SIGKILL');
    }, START_WITHIN_MS);
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', (code, signal) => {
        clearTimeout(stuck);
        hub.remove(member);
        member.channel.close();
        this.#running.delete(number);
        this.#options.onEnd(number);
        resolve();
        if (this.#stop.signal.aborted) return;
        onFailed(new BerthError('worker_ended', `A worker process ended (${signal ?? code}).`));
        if (!this.#started) return;
        if (performance.now() - forkedAt > WELL_AFTER_MS) this.#failures.delete(number);
        void this.#replace(number, { worker_pid: pid, exit_code: code, signal });
      });
    });
    this.#running.set(number, { worker, member, ended });
  }

  async #replace(number: number, ended: object): Promise<void> {
    const { log } = this.#options;
    const failures = this.#failures.get(number) ?? 0;
    this.#failures.set(number, failures + 1);
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
    log.error({ worker: number, ...ended, pause_ms: pause }, 'worker process ended; another one is started');
    await delay(pause, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    if (this.#stop.signal.aborted) return;
    this.#fork(
      number,
      () => undefined,
      (error) => log.error({ worker: number, code: error.code }, error.describe()),
    );
  }
}

function portOf(worker: Worker): Port {
  // A process that is ending may close its end of the pipe while it is written to.
  worker.on('error', () => undefined);
  return {
    send: (message, onFailure) => {
      worker.send(message, undefined, (error) => {
        if (error) onFailure();
      });
    },
    onMessage: (listen) => void worker.on('message', listen),
  };
}

/** What comes within a second; else `otherwise`. */
async function soon<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  const done = new AbortController();
  const limit = delay(ANSWER_WITHIN_MS, otherwise, { signal: done.signal }).catch(() => otherwise);
  const first = await Promise.race([asked, limit]);
  done.abort();
  return first;
}
