import type { SourceRecord } from '../bundle/manifest.ts';
import { type OpenBundle, openBundle } from '../bundle/open-bundle.ts';
import type { SourceConfig } from '../config/schema.ts';
import { BerthError, messageOf } from '../errors.ts';
import type { Compiler } from './compiler.ts';
import type { RefreshJob } from './refresh-source.ts';
import type { Leadership, SourceSharing } from './source-sharing.ts';
import { countEntries, PENDING, type SourceStatus } from './source-status.ts';

export interface SyncEvents {
  /** A bundle is open and should be served from now on. */
  onBundle(source: SourceConfig, bundle: OpenBundle, status: SourceStatus): void;
  onSynced(
    source: SourceConfig,
    status: SourceStatus,
    outcome: 'changed' | 'unchanged',
    durationMs: number,
  ): void;
  onFailed(source: SourceConfig, status: SourceStatus, error: BerthError, durationMs: number): void;
}

export interface SyncDeps {
  readonly compiler: Compiler;
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly jobOf: (source: SourceConfig) => RefreshJob;
  readonly readRecord: (source: string) => Promise<SourceRecord | undefined>;
  readonly events: SyncEvents;
  /** Absent when this is the only process. */
  readonly sharing?: SourceSharing | undefined;
  /** At most so many sources are fetched at once. */
  readonly slots: { take<T>(work: () => Promise<T>): Promise<T> };
}

const FIRST_RETRY_MS = 2_000;
/** How often a follower asks whether the leader is gone: taking over must not last 10 s (contract 12.16). */
const LEAD_RETRY_MS = 2_000;
const JITTER = 0.1;

/**
 * One synced source over time: when it is fetched, what happened, which bundle of it is open. A failure leaves what is
 * served and is retried with growing pauses, at most the interval. Longer than others: leading, following and fetching
 * change one status and one open bundle, step after step.
 */
export class SyncedSource {
  readonly config: SourceConfig;
  readonly #deps: SyncDeps;
  #status: SourceStatus = PENDING;
  #openHash: string | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #leadership: Leadership | undefined;

  constructor(config: SourceConfig, deps: SyncDeps) {
    this.config = config;
    this.#deps = deps;
  }

  get status(): SourceStatus {
    return this.#status;
  }

  /** The store's current bundle is opened first, so that it is served while the source is fetched. */
  async start(): Promise<void> {
    try {
      await this.openCurrent();
    } catch (error) {
      this.#fail(error, this.#deps.now());
    }
    await (this.#deps.sharing ? this.#seekLead(this.#deps.sharing) : this.sync());
  }

  /**
   * Somebody wants it fetched now: done here, or by the process that leads.
   * @throws whatever keeps the leader from being asked
   */
  async request(): Promise<void> {
    const { sharing } = this.#deps;
    if (!sharing || this.#leadership) {
      void this.sync();
      return;
    }
    const before = this.#status;
    const asked: SourceStatus = { ...before, phase: 'syncing' };
    this.#status = asked;
    await sharing.askLeader(this.config.name).catch((error: unknown) => {
      if (this.#status === asked) this.#status = before;
      throw error;
    });
  }

  /** The content may have changed: whoever leads looks. */
  notice(): void {
    if (!this.#deps.sharing || this.#leadership) void this.sync();
  }

  /** Takes over what is current for all processes and opens it. */
  async follow(): Promise<void> {
    if (this.#running) {
      // What is being compiled here is not to be mistaken for what all have: the next run begins with theirs.
      this.#again = true;
      return;
    }
    await this.#pull();
    await this.followStatus();
  }

  /** Takes over how the leader's last attempt went. */
  async followStatus(): Promise<void> {
    const told = await this.#deps.sharing?.readStatus(this.config.name);
    if (told && !this.#leadership) this.#status = { ...this.#status, ...told };
  }

  /** Fetches now. A run under way is followed by one more, however often this is called meanwhile. */
  sync(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      this.#schedule();
    });
    return this.#running;
  }

  /** Opens the bundle the manifest names, when it is not open already. */
  async openCurrent(): Promise<void> {
    const record = await this.#deps.readRecord(this.config.name);
    if (record && record.current !== this.#openHash && !this.#stopped) await this.#openFirstGood(record);
  }

  /** The manifest was written, perhaps by a command that went back to an earlier bundle: then all processes go back. */
  async noticeManifest(): Promise<void> {
    await this.openCurrent();
    if (!this.#stopped) await this.#deps.sharing?.pushRollback(this.config.name);
  }

  /** Serves an earlier bundle, in all processes. */
  async rollback(change: () => Promise<SourceRecord>): Promise<SourceRecord> {
    // A bundle of another process may be the one to go back to.
    await this.#pull();
    const record = await change();
    await this.openCurrent();
    await this.#deps.sharing?.push(this.config.name);
    return record;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    void this.#leadership?.release();
  }

  /** The times of a bundle that is open already may be others now. */
  async #pull(): Promise<void> {
    if (await this.#deps.sharing?.pull(this.config.name)) this.#openHash = undefined;
    await this.openCurrent();
  }

  /** Follows until the lead is to be had; then fetches, and seeks it again should it be lost. */
  async #seekLead(sharing: SourceSharing): Promise<void> {
    if (this.#stopped) return;
    try {
      await this.follow();
      this.#leadership = await sharing.tryLead(this.config.name);
      if (this.#stopped) return void this.#leadership?.release();
    } catch (error) {
      // While the store is away what is open is served on; only a source that shows nothing has failed.
      if (this.#openHash === undefined) this.#fail(error, this.#deps.now());
    }
    const leadership = this.#leadership;
    if (!leadership) {
      this.#timer = setTimeout(() => void this.#seekLead(sharing), LEAD_RETRY_MS).unref();
      return;
    }
    leadership.lost.addEventListener('abort', () => {
      this.#leadership = undefined;
      clearTimeout(this.#timer);
      void this.#seekLead(sharing);
    });
    await this.sync();
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      await this.#deps.slots.take(() => this.#attempt());
    } while (this.#again && !this.#stopped);
  }

  async #attempt(): Promise<void> {
    if (this.#stopped) return;
    const { compiler, jobOf, now, events, sharing } = this.#deps;
    const started = now();
    this.#status = { ...this.#status, phase: 'syncing', lastAttemptTime: started };
    try {
      if (sharing) await this.#pull();
      const { outcome, record } = await compiler.refresh(jobOf(this.config));
      if (this.#stopped) return;
      await sharing?.push(this.config.name);
      if (record.current !== this.#openHash) await this.#open(record, record.current);
      const bundle = record.bundles.find((known) => known.hash === record.current);
      const message = bundle ? countEntries(bundle) : '';
      this.#status = {
        ...this.#status,
        phase: 'complete',
        lastSyncTime: now(),
        attempts: 0,
        message,
        bundle,
      };
      events.onSynced(this.config, this.#status, outcome, now() - started);
    } catch (error) {
      if (!this.#stopped) this.#fail(error, started);
    }
    // What cannot be told now is told after the next attempt.
    await sharing?.tellStatus(this.config.name, this.#status).catch(() => undefined);
  }

  #fail(error: unknown, started: number): void {
    const known =
      error instanceof BerthError ? error : new BerthError('sync_failed', messageOf(error), { cause: error });
    const attempts = this.#status.attempts + 1;
    this.#status = {
      ...this.#status,
      phase: 'failed',
      attempts,
      message: known.describe(),
      lastAttemptTime: started,
    };
    this.#deps.events.onFailed(this.config, this.#status, known, this.#deps.now() - started);
  }

  /** The current bundle, or the newest one before it that can still be opened. */
  async #openFirstGood(record: SourceRecord): Promise<void> {
    const hashes = record.bundles.map((bundle) => bundle.hash);
    let first: unknown;
    for (const hash of [record.current, ...hashes.slice(hashes.indexOf(record.current) + 1), ...hashes]) {
      try {
        await this.#open(record, hash);
        break;
      } catch (error) {
        first ??= error;
      }
    }
    if (first !== undefined) throw first;
  }

  async #open(record: SourceRecord, hash: string): Promise<void> {
    const { compiler, now, events, jobOf } = this.#deps;
    const loaded = await compiler.load(jobOf(this.config).bundleDir, this.config.name, hash);
    if (this.#stopped) return;
    const opened = openBundle(loaded.bytes, hash, loaded.times, now());
    this.#openHash = hash;
    const bundle = record.bundles.find((known) => known.hash === hash);
    const { rejected, servers, skills } = opened.header;
    this.#status = { ...this.#status, bundle, rejected, servers: servers.names, skills: skills.names };
    events.onBundle(this.config, opened, this.#status);
  }

  #schedule(): void {
    if (this.#stopped || (this.#deps.sharing && !this.#leadership)) return;
    clearTimeout(this.#timer);
    const interval = this.config.syncPolicy?.interval;
    if (interval === undefined) return;
    const pause =
      this.#status.attempts === 0
        ? interval
        : Math.min(interval, FIRST_RETRY_MS * 2 ** (this.#status.attempts - 1));
    const jitter = 1 + JITTER * (2 * this.#deps.random() - 1);
    // A timer cannot wait longer than 2^31 - 1 ms.
    const wait = Math.min(pause * jitter, 2_147_483_647);
    this.#timer = setTimeout(() => void this.sync(), wait).unref();
  }
}
