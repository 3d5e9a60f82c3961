import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { messageOf } from '../../../sources/errors.ts';
import type { Log } from '../../observe/log.ts';
import { CHANNEL } from './change-announcer.ts';
import type { ChangeLog } from './change-log.ts';
import { changeColumns, type OverlayChange } from './overlay-change.ts';
import type { OwnChanges } from './own-changes.ts';
import { type RunQuery, runQuery } from './postgres-pool.ts';
import type { ChangeHandlers } from './replica-link.ts';

const POLL_MS = 500;
const RECONNECT_MS = 500;
const PRUNE_MS = 600_000;
/** Shorter than a statement may take: who listens is to notice soon that nobody answers. */
const READ_TIMEOUT_MS = 4000;
const AT_ONCE = 16;

export interface ListenerOptions extends ChangeHandlers {
  readonly connect: (onLost: (error: Error) => void) => Promise<pg.Client>;
  readonly changes: ChangeLog;
  readonly own: OwnChanges;
  readonly log: Log;
}

/**
 * Tells of what other processes changed, on a connection of its own: when it is notified and every half second. It
 * connects again for as long as it lives, and goes on in the log where it stopped. A change whose handler fails is told
 * again, so nothing is lost while the store is away.
 */
export class ChangeListener {
  readonly #options: ListenerOptions;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #wake = () => {};
  #untold = new Map<string, OverlayChange>();
  #missed = false;
  #troubled = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Waits until no handler runs any more. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#follow();
      } catch (error) {
        if (!this.#troubled) this.#options.log.warn({}, `no changes of other replicas: ${messageOf(error)}`);
        this.#troubled = true;
        await delay(RECONNECT_MS, undefined, { signal: this.#stop.signal }).catch(() => {});
      }
    }
  }

  async #follow(): Promise<void> {
    let lost: Error | undefined;
    const client = await this.#options.connect((error) => {
      lost = error;
      this.#wake();
    });
    try {
      client.on('notification', () => this.#wake());
      const run: RunQuery = (statement, values) =>
        runQuery(client, { timeout: READ_TIMEOUT_MS, ...statement }, values);
      await run({ text: `LISTEN ${CHANNEL}` });
      await this.#findPlace(run);
      if (this.#troubled) this.#options.log.info({}, 'changes of other replicas arrive again');
      this.#troubled = false;
      let prunedAt = performance.now();
      while (!this.#stop.signal.aborted) {
        const woken = this.#sleep();
        for (const change of await this.#options.changes.readNew(run)) this.#keep(change);
        for (const change of this.#options.own.takeDoubtful()) this.#keep(change);
        await this.#tell();
        if (performance.now() - prunedAt > PRUNE_MS) {
          await this.#options.changes.prune((statement, values) => runQuery(client, statement, values));
          prunedAt = performance.now();
        }
        await woken;
        if (lost) throw lost;
      }
    } finally {
      void client.end().catch(() => {});
    }
  }

  async #findPlace(run: RunQuery): Promise<void> {
    const { changes, onGap } = this.#options;
    if (!this.#missed && (await changes.isContinuous(run))) return;
    this.#missed = true;
    await changes.moveToEnd(run);
    await onGap();
    this.#missed = false;
  }

  /** Settles at the next notification, or in half a second. To be called before reading, so that none is overlooked. */
  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#stop.signal.aborted) this.#wake();
    });
  }

  #keep(change: OverlayChange): void {
    this.#untold.set(changeColumns(change).join('\n'), change);
  }

  async #tell(): Promise<void> {
    const waiting = [...this.#untold];
    for (let at = 0; at < waiting.length; at += AT_ONCE) {
      await Promise.all(waiting.slice(at, at + AT_ONCE).map(([key, change]) => this.#tellOne(key, change)));
    }
  }

  async #tellOne(key: string, change: OverlayChange): Promise<void> {
    try {
      await this.#options.onChange(change);
      this.#untold.delete(key);
    } catch (error) {
      this.#options.log.warn(
        { kind: change.kind },
        `a change of another replica is told again: ${messageOf(error)}`,
      );
    }
  }
}
