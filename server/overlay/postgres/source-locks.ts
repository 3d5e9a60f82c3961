import type pg from 'pg';
import { z } from 'zod';
import { KeyedQueue } from '../keyed-queue.ts';
import { ConnectionFailure, readPostgresFailure } from './postgres-failure.ts';
import { type QueryResult, runQuery, type SqlValue } from './postgres-pool.ts';
import type { SourceLock } from './replica-link.ts';

const HEARTBEAT_MS = 2000;
const ANSWER_TIMEOUT_MS = 4000;
/**
 * After so long without a heartbeat the database ends the session and so frees its locks: a process that hangs, or
 * whose machine is gone, does not keep them. Longer than the holder takes to notice the loss itself.
 */
const SILENT_AT_MOST_MS = 7000;
/** Of the two numbers of a lock, the one that tells these from other users of the same database. */
const LOCK_SPACE = 1_650_815_092;

const LIMIT_SILENCE = `
  SELECT set_config(name, wanted.value, false) FROM pg_settings JOIN (VALUES
    ('idle_session_timeout', '${SILENT_AT_MOST_MS}'), ('tcp_keepalives_idle', '3'),
    ('tcp_keepalives_interval', '2'), ('tcp_keepalives_count', '2')) AS wanted (name, value) USING (name)`;

interface Session {
  /** One statement after the other; without an answer the session ends. */
  readonly run: (text: string, values?: readonly SqlValue[]) => Promise<QueryResult>;
  /** Aborted when the lock of a source is lost. */
  readonly held: Map<string, AbortController>;
  readonly end: () => void;
  ended: boolean;
}

type Connect = (onLost: (error: Error) => void) => Promise<pg.Client>;

/**
 * Locks on sources among the processes of a registry (contract 10), held by one session of the database. They end with
 * the process, and with the session; the holder is told by a signal.
 */
export class SourceLocks {
  readonly #connect: Connect;
  /** Sources being locked or unlocked now. */
  readonly #busy = new Set<string>();
  #session: Promise<Session> | undefined;

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  /**
   * Takes the lock of a source if nobody has it, in this process or another one.
   * @throws HttpError 503 `store_unavailable`
   */
  async tryLock(source: string): Promise<SourceLock | undefined> {
    if (this.#busy.has(source)) return undefined;
    this.#busy.add(source);
    try {
      const session = await this.#reach();
      if (session.held.has(source)) return undefined;
      const { rows } = await session.run('SELECT pg_try_advisory_lock($1, hashtext($2)) AS locked', [
        LOCK_SPACE,
        source,
      ]);
      const { locked } = z.object({ locked: z.boolean() }).parse(rows[0]);
      return locked && !session.ended ? this.#hold(source, session) : undefined;
    } catch (error) {
      throw readPostgresFailure(error);
    } finally {
      this.#busy.delete(source);
    }
  }

  /** Frees all locks. */
  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    session?.end();
  }

  #hold(source: string, session: Session): SourceLock {
    const lost = new AbortController();
    session.held.set(source, lost);
    return {
      lost: lost.signal,
      release: async () => {
        if (session.held.get(source) !== lost) return;
        this.#busy.add(source);
        session.held.delete(source);
        try {
          await session.run('SELECT pg_advisory_unlock($1, hashtext($2))', [LOCK_SPACE, source]);
        } catch {
          // A lock that cannot be given back goes with its session.
          session.end();
        } finally {
          this.#busy.delete(source);
        }
      },
    };
  }

  #reach(): Promise<Session> {
    if (this.#session) return this.#session;
    const opening = this.#open(() => {
      if (this.#session === opening) this.#session = undefined;
    });
    this.#session = opening;
    opening.catch(() => {
      if (this.#session === opening) this.#session = undefined;
    });
    return opening;
  }

  async #open(onEnd: () => void): Promise<Session> {
    const client = await this.#connect(() => session.end());
    const queue = new KeyedQueue();
    const heartbeat = setInterval(
      () => void session.run('SELECT 1').catch(() => session.end()),
      HEARTBEAT_MS,
    );
    heartbeat.unref();
    const session: Session = {
      run: (text, values) =>
        queue
          .run('', () => runQuery(client, { text, timeout: ANSWER_TIMEOUT_MS }, values))
          .catch((error) => {
            if (error instanceof ConnectionFailure) session.end();
            throw error;
          }),
      held: new Map(),
      ended: false,
      end: () => {
        if (session.ended) return;
        session.ended = true;
        clearInterval(heartbeat);
        onEnd();
        for (const lost of session.held.values()) lost.abort();
        session.held.clear();
        void client.end().catch(() => {});
      },
    };
    await session.run(LIMIT_SILENCE).catch((error) => {
      session.end();
      throw error;
    });
    return session;
  }
}
