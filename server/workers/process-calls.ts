import type { LoadedConfig } from '../../sources/config/schema.ts';
import type { SharedStatus } from '../../sources/sync/source-sharing.ts';
import type { MetricsSnapshot } from '../observe/metrics.ts';
import type { OverlayStore } from '../overlay/overlay-store.ts';
import type { OverlayChange } from '../overlay/postgres/overlay-change.ts';
import type { SentFailure } from './sent-failure.ts';

/** What a worker asks of the primary process. */
export interface PrimaryCalls extends Omit<OverlayStore, 'close'> {
  /** The configuration that is in force; the file may hold an edit that was refused. */
  readConfig(): Promise<LoadedConfig>;
  /** What the primary knows of fetching a source. */
  readStatus(source: string): Promise<SharedStatus | undefined>;
  requestSync(source: string): Promise<void>;
  /** An earlier bundle was made current in the data directory; answered when all workers show it. */
  noticeBundle(source: string): Promise<void>;
  /** A source is gone. */
  forgetSource(source: string): Promise<void>;
  /** One count for all workers. @throws HttpError 429 `rate_limited` */
  countRequest(subject: string | undefined, remoteAddress: string): Promise<void>;
  /** The worker takes requests from now on. @param url where */
  tellListening(url: string): Promise<void>;
  /** The worker cannot start. */
  tellFailed(failure: SentFailure): Promise<void>;
}

/** What the primary process asks of a worker. */
export interface WorkerCalls {
  /** Answered when requests see the change. */
  change(change: OverlayChange): Promise<void>;
  /** Changes may have been missed. */
  refreshAll(): Promise<void>;
  /** What the worker lacks to answer requests, a sentence each. */
  readMissing(): Promise<readonly string[]>;
  readMetrics(): Promise<MetricsSnapshot>;
  /** Answered at once; the worker finishes what is under way and ends. */
  drain(): Promise<void>;
}
