import { BerthError, messageOf } from '../../sources/errors.ts';
import { backOff, HEALTHY_AFTER_MS, MAX_RESTARTS } from './back-off.ts';
import type { Clock } from './clock.ts';

/** What a server is started and ended with. */
export interface ServerLauncher {
  /** Makes it run, in place of what ran before. Stops trying when the signal is aborted. */
  launch(signal: AbortSignal): Promise<void>;
  /** Whether what was launched last still runs and can be talked to. */
  isIntact(): Promise<boolean>;
  /** Fails what waits for an answer, and takes the remains away as far as that is possible. */
  discard(): Promise<void>;
}

export type KeeperReport = (status: 'starting' | 'running' | 'unhealthy', reason: string | undefined) => void;

type Phase = 'idle' | 'launching' | 'up' | 'waiting' | 'lost' | 'ended';

/**
 * Keeps a server running: starts it, hears that it exited or that the engine went away, and starts it again with
 * back-off (contract 3). Knows neither containers nor transports.
 */
export class ServerKeeper {
  readonly #launcher: ServerLauncher;
  readonly #awaitReady: (signal: AbortSignal) => Promise<void>;
  readonly #clock: Clock;
  readonly #report: KeeperReport;
  #phase: Phase = 'idle';
  #restarts = 0;
  #attempt = new AbortController();
  #cancelTimer: () => void = () => {};
  #launching: Promise<void> = Promise.resolve();
  #giveUp: (error: BerthError) => void = () => {};

  /** Settles with the reason when the server is given up after too many restarts. */
  readonly givenUp: Promise<BerthError>;

  /** @param awaitReady settles when it answers MCP; rejects with the reason of the signal when that is aborted */
  constructor(
    launcher: ServerLauncher,
    awaitReady: (signal: AbortSignal) => Promise<void>,
    clock: Clock,
    report: KeeperReport,
  ) {
    this.#launcher = launcher;
    this.#awaitReady = awaitReady;
    this.#clock = clock;
    this.#report = report;
    this.givenUp = new Promise((resolve) => {
      this.#giveUp = resolve;
    });
  }

  get isUp(): boolean {
    return this.#phase === 'up';
  }

  /**
   * Starts it for the first time. No second attempt is made.
   * @throws what launching threw, what `exited` was told meanwhile, or the reason of the signal
   */
  async begin(signal: AbortSignal): Promise<void> {
    this.#phase = 'launching';
    await this.#launch(signal);
  }

  /** To be called at once when the server ended. */
  exited(why: BerthError): void {
    if (this.#phase === 'launching') this.#attempt.abort(why);
    else if (this.#phase === 'up') this.#fall(why);
  }

  /** To be called when the engine went away. */
  lost(): void {
    if (this.#phase === 'ended' || this.#phase === 'idle') return;
    const launching = this.#phase === 'launching';
    this.#cancelTimer();
    this.#phase = 'lost';
    if (launching)
      this.#attempt.abort(new BerthError('engine_unavailable', 'The container engine went away.'));
    this.#report('unhealthy', 'the container engine does not answer');
  }

  /** To be called when the engine answers again. */
  async back(): Promise<void> {
    if (this.#phase !== 'lost') return;
    await this.#launching.catch(() => undefined);
    const intact = await this.#launcher.isIntact().catch(() => false);
    if (this.#phase !== 'lost') return;
    if (intact) this.#rise();
    else this.#retry();
  }

  /** Stops keeping it. Settles when no attempt is under way any more. */
  async end(): Promise<void> {
    this.#phase = 'ended';
    this.#cancelTimer();
    this.#attempt.abort(new BerthError('workload_stopping', 'The workload is being stopped.'));
    await this.#launching.catch(() => undefined);
  }

  #launch(outer?: AbortSignal): Promise<void> {
    const attempt = new AbortController();
    this.#attempt = attempt;
    const signal = outer ? AbortSignal.any([outer, attempt.signal]) : attempt.signal;
    this.#launching = this.#try(signal);
    return this.#launching;
  }

  async #try(signal: AbortSignal): Promise<void> {
    try {
      signal.throwIfAborted();
      await this.#launcher.launch(signal);
      await this.#awaitReady(signal);
    } catch (error) {
      // That it exited says more than what could not be done with it because of that.
      throw signal.aborted ? signal.reason : error;
    }
    signal.throwIfAborted();
    this.#rise();
  }

  #rise(): void {
    this.#phase = 'up';
    this.#cancelTimer = this.#clock.after(HEALTHY_AFTER_MS, () => {
      this.#restarts = 0;
    });
    this.#report('running', undefined);
  }

  #fall(why: BerthError): void {
    this.#cancelTimer();
    this.#phase = 'waiting';
    this.#restarts++;
    const delay = backOff(this.#restarts);
    if (delay === undefined) {
      this.#phase = 'ended';
      this.#giveUp(
        new BerthError('server_given_up', `${why.message} It was restarted ${MAX_RESTARTS} times.`),
      );
    } else {
      this.#report(
        'unhealthy',
        `${why.message} Restart ${this.#restarts} of ${MAX_RESTARTS} in ${delay / 1000} s.`,
      );
      this.#cancelTimer = this.#clock.after(delay, () => this.#retry());
    }
    // The remains are cleared away before the next launch in any case; here it is about the calls that wait.
    this.#launcher.discard().catch(() => undefined);
  }

  #retry(): void {
    this.#phase = 'launching';
    this.#report('starting', undefined);
    this.#launch().catch((error: unknown) => {
      if (this.#phase !== 'launching') return;
      this.#fall(
        error instanceof BerthError ? error : new BerthError('server_not_started', `${messageOf(error)}.`),
      );
    });
  }
}
