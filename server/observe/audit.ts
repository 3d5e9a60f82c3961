import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { AuditConfig } from '../../sources/config/schema.ts';
import { messageOf } from '../../sources/errors.ts';
import type { AuditEvent } from './audit-event.ts';
import { formatAuditLine, type LineOptions } from './audit-line.ts';
import { createStreamOutput, type LineOutput, openFileOutput } from './line-output.ts';
import type { Log } from './log.ts';

const FLUSH_MS = 250;
const RETRY_MS = 1000;
/** Lines formatted in one go; more would hold up requests. */
const BATCH = 500;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** What an event without a body takes in memory, roughly. */
const EVENT_BYTES = 1024;

export type Audit = AuditTrail<AuditEvent>;

export interface AuditTrail<Event extends { readonly type: string }> {
  /** Whether events of this type are written: callers may spare themselves making one. */
  wants(type: Event['type']): boolean;
  /** Takes an event at once; it is on disk within a second. Never throws. */
  record(event: Event): void;
  /** Opens the file anew (SIGHUP), after what was recorded before is written. */
  reopen(): Promise<void>;
  /** Writes what is waiting and closes; a full disk is tried once more, then reported. */
  close(): Promise<void>;
}

export interface AuditDeps {
  readonly log: Log;
  /** Where a relative `logFile` starts: the directory of the configuration; the working directory when absent. */
  readonly baseDir?: string;
  /** Replaces file or standard output. */
  readonly output?: LineOutput;
  readonly now?: () => number;
  readonly newId?: () => string;
}

/** How events of one kind become lines. */
export interface AuditFormat<Event> {
  /** One line of JSON with its line break. */
  format(event: Event, options: LineOptions): string;
  /** Bytes the event holds while it waits, roughly. */
  sizeOf(event: Event): number;
}

const REGISTRY_FORMAT: AuditFormat<AuditEvent> = {
  format: formatAuditLine,
  sizeOf: (event) => EVENT_BYTES + (event.path?.length ?? 0) + (event.requestBody?.byteLength ?? 0),
};

const NO_AUDIT: Audit = {
  wants: () => false,
  record: () => undefined,
  reopen: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/**
 * The audit log of the registry (contract 11). See `openAuditTrail`.
 * @throws BerthError `audit_log_unavailable`
 */
export async function createAudit(config: AuditConfig | undefined, deps: AuditDeps): Promise<Audit> {
  return config?.enabled ? openAuditTrail(config, REGISTRY_FORMAT, deps) : NO_AUDIT;
}

/**
 * An audit log (contract 11): one JSON object a line in `logFile`, or on standard
 * output. Recording only queues; lines are made and written in batches. While writing fails, events wait
 * in memory up to 64 MB and are then dropped and counted, and no request notices.
 * @throws BerthError `audit_log_unavailable`
 */
export async function openAuditTrail<Event extends { readonly type: string }>(
  config: AuditConfig,
  format: AuditFormat<Event>,
  deps: AuditDeps,
): Promise<AuditTrail<Event>> {
  const output = deps.output ?? (await openOutput(config.logFile, deps.baseDir));
  return new AuditQueue(config, format, output, deps);
}

async function openOutput(logFile: string | undefined, baseDir: string | undefined): Promise<LineOutput> {
  if (logFile === undefined) return createStreamOutput(process.stdout);
  return openFileOutput(baseDir === undefined ? logFile : resolve(baseDir, logFile));
}

interface Waiting<Event> {
  readonly event: Event;
  readonly at: number;
}

class AuditQueue<Event extends { readonly type: string }> implements AuditTrail<Event> {
  readonly #config: AuditConfig;
  readonly #format: AuditFormat<Event>;
  readonly #output: LineOutput;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #newId: () => string;
  readonly #included: ReadonlySet<string> | undefined;
  readonly #excluded: ReadonlySet<string>;
  #waiting: Waiting<Event>[] = [];
  #waitingBytes = 0;
  /** Formatted lines of which `#written` bytes are in the output. */
  #batch = Buffer.alloc(0);
  #batchBytes = 0;
  #written = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Work on the output, one piece after the other. */
  #work: Promise<void> = Promise.resolve();
  #failing = false;
  #dropped = 0;
  #closed = false;

  constructor(config: AuditConfig, format: AuditFormat<Event>, output: LineOutput, deps: AuditDeps) {
    this.#config = config;
    this.#format = format;
    this.#output = output;
    this.#log = deps.log;
    this.#now = deps.now ?? Date.now;
    this.#newId = deps.newId ?? randomUUID;
    this.#included = config.eventTypes?.length ? new Set(config.eventTypes) : undefined;
    this.#excluded = new Set(config.excludeEventTypes);
  }

  wants(type: string): boolean {
    return (this.#included?.has(type) ?? true) && !this.#excluded.has(type);
  }

  record(event: Event): void {
    if (this.#closed || !this.wants(event.type)) return;
    const size = this.#format.sizeOf(event);
    if (this.#waitingBytes + size > MAX_WAITING_BYTES) {
      this.#dropped++;
      return;
    }
    this.#waitingBytes += size;
    this.#waiting.push({ event, at: this.#now() });
    this.#timer ??= setTimeout(() => this.#flush(), this.#failing ? RETRY_MS : FLUSH_MS);
  }

  reopen(): Promise<void> {
    return this.#after(async () => {
      await this.#drain();
      try {
        await this.#output.reopen();
      } catch (error) {
        this.#log.error(
          { reason: messageOf(error) },
          'The audit log cannot be reopened; the open file is kept',
        );
        return;
      }
      // A line that was cut by a full disk starts anew in the new file.
      this.#written = this.#batch.subarray(0, this.#written).lastIndexOf(0x0a) + 1;
      await this.#drain();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#after(async () => {
      await this.#drain();
      if (this.#failing) await this.#drain();
      const lost = this.#waiting.length + this.#dropped;
      if (this.#failing)
        this.#log.error({ waiting: lost }, 'Audit events could not be written before the end');
      await this.#output.close();
    });
  }

  #after(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work);
    return this.#work;
  }

  #flush(): void {
    void this.#after(async () => {
      await this.#drain();
      this.#timer = undefined;
      if (!this.#closed && (this.#failing || this.#waiting.length > 0)) {
        this.#timer = setTimeout(() => this.#flush(), this.#failing ? RETRY_MS : FLUSH_MS);
      }
    });
  }

  /** Writes everything that waits; stops at the first failure, which is told once. */
  async #drain(): Promise<void> {
    try {
      for (;;) {
        while (this.#written < this.#batch.byteLength) {
          this.#written += await this.#output.write(this.#batch.subarray(this.#written));
        }
        this.#waitingBytes -= this.#batchBytes;
        this.#batchBytes = 0;
        if (this.#waiting.length === 0) break;
        this.#formatBatch();
      }
      this.#recover();
    } catch (error) {
      if (!this.#failing)
        this.#log.error({ reason: messageOf(error) }, 'The audit log cannot be written; retrying');
      this.#failing = true;
    }
  }

  #formatBatch(): void {
    const taken = this.#waiting.slice(0, BATCH);
    this.#waiting = this.#waiting.slice(BATCH);
    const { includeRequestData, maxDataSize } = this.#config;
    const lines = taken.map(({ event, at }) =>
      this.#format.format(event, { auditId: this.#newId(), loggedAt: at, includeRequestData, maxDataSize }),
    );
    this.#batchBytes = taken.reduce((bytes, { event }) => bytes + this.#format.sizeOf(event), 0);
    this.#batch = Buffer.from(lines.join(''));
    this.#written = 0;
  }

  #recover(): void {
    if (this.#failing) this.#log.info({}, 'The audit log can be written again');
    this.#failing = false;
    if (this.#dropped > 0)
      this.#log.error({ dropped: this.#dropped }, 'Audit events were dropped: too many waited');
    this.#dropped = 0;
  }
}
