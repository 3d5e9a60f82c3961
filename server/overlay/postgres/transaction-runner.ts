import { ChangeAnnouncer } from './change-announcer.ts';
import { changeColumns, type OverlayChange } from './overlay-change.ts';
import type { OwnChanges } from './own-changes.ts';
import type { ExchangeRunner } from './postgres-bundles.ts';
import { isDoubtful, readPostgresFailure } from './postgres-failure.ts';
import type { PostgresPool, QueryResult, RunQuery, SqlValue, Statement } from './postgres-pool.ts';
import { LOG_CHANGE } from './statements.ts';

/**
 * Runs what the store does: each change is one transaction that also writes it into the log, and is announced when it
 * is committed. All failures are those of the interface (`readPostgresFailure`).
 */
export class TransactionRunner implements ExchangeRunner {
  readonly #pool: PostgresPool;
  readonly #own: OwnChanges;
  readonly #announcer: ChangeAnnouncer;

  constructor(pool: PostgresPool, own: OwnChanges) {
    this.#pool = pool;
    this.#own = own;
    this.#announcer = new ChangeAnnouncer(pool);
  }

  /** One statement that tells nobody anything. */
  query(statement: Statement, values: readonly SqlValue[] = []): Promise<QueryResult> {
    return answer(() => this.#pool.query(statement, values));
  }

  read<T>(work: (run: RunQuery) => Promise<T>): Promise<T> {
    return answer(() => this.#pool.transact(work));
  }

  /**
   * A change that is one statement, which writes into the log itself.
   * @param values without the last parameter, the mark for the log
   * @param counts whether something was changed
   */
  async changeAtOnce(
    change: OverlayChange,
    statement: Statement,
    values: readonly SqlValue[],
    counts: (result: QueryResult) => boolean = ({ count }) => count > 0,
  ): Promise<QueryResult> {
    return this.#change(change, (origin) => this.#pool.query(statement, [...values, origin]), counts);
  }

  /** `changeAtOnce` of at most one row; whether there was one. */
  async changeRow(
    change: OverlayChange,
    statement: Statement,
    values: readonly SqlValue[],
  ): Promise<boolean> {
    return (await this.changeAtOnce(change, statement, values)).count > 0;
  }

  change<T>(
    change: OverlayChange,
    work: (run: RunQuery) => Promise<T>,
    counts: (result: T) => boolean,
  ): Promise<T> {
    const transact = (origin: string): Promise<T> =>
      this.#pool.transact(async (run) => {
        const result = await work(run);
        if (counts(result)) await run(LOG_CHANGE, [origin, ...changeColumns(change)]);
        return result;
      });
    return this.#change(change, transact, counts);
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await this.#announcer.whenIdle();
    await this.#pool.close();
  }

  async #change<T>(
    change: OverlayChange,
    work: (origin: string) => Promise<T>,
    counts: (result: T) => boolean,
  ): Promise<T> {
    const origin = this.#own.makeOrigin();
    return answer(async () => {
      const result = await work(origin).catch((error) => {
        if (isDoubtful(error)) this.#own.doubt(origin, change);
        throw error;
      });
      if (counts(result)) this.#announcer.announce();
      return result;
    });
  }
}

async function answer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw readPostgresFailure(error);
  }
}
