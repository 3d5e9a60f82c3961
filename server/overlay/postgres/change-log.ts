import { z } from 'zod';
import { loggedChange, type OverlayChange } from './overlay-change.ts';
import type { OwnChanges } from './own-changes.ts';
import type { QueryResult, RunQuery } from './postgres-pool.ts';

/** No transaction of the service stays open for so long (statements are stopped after 10 s). */
const OPEN_AT_MOST_MS = 60_000;
/** Kept rows reach back an hour; a reader that was away for longer may have missed some. */
const KEPT = '1 hour';
const AWAY_AT_MOST_MS = 3_000_000;
const MOST_GAPS = 10_000;

const position = z.object({ top: z.number(), mark: z.string(), floor: z.number(), ids: z.array(z.number()) });
const logged = z.looseObject({ id: z.number(), mark: z.string(), origin: z.string() });

/**
 * The log of changes, read from where this process stands. Numbers are given out before a transaction commits, so a
 * lower one may show after a higher one: numbers that were passed over are looked for until no transaction can hold
 * them any more.
 */
export class ChangeLog {
  readonly #own: OwnChanges;
  readonly #now: () => number;
  readonly #gaps = new Map<number, number>();
  #top = 0;
  /** When the newest row was written, to tell it from another one of the same number. */
  #mark = '';
  #readAt = 0;

  /** @param now milliseconds, for tests */
  constructor(own: OwnChanges, now: () => number = () => performance.now()) {
    this.#own = own;
    this.#now = now;
  }

  /** Starts behind everything that is committed now: for right before, or after, everything is read. */
  async moveToEnd(run: RunQuery): Promise<void> {
    const { rows } = await run({
      text: `
        WITH floor AS (
          SELECT coalesce(max(id), 0) AS id FROM berth_changes WHERE at < now() - interval '${OPEN_AT_MOST_MS} milliseconds'
        ), open AS (
          SELECT id::float8 AS id FROM berth_changes WHERE id > (SELECT id FROM floor)
        ), newest AS (
          SELECT id::float8 AS id, extract(epoch FROM at)::text AS mark FROM berth_changes ORDER BY berth_changes.id DESC LIMIT 1
        )
        SELECT coalesce((SELECT id FROM newest), 0) AS top, coalesce((SELECT mark FROM newest), '') AS mark,
          (SELECT id::float8 FROM floor) AS floor, array(SELECT id FROM open) AS ids`,
    });
    const { top, mark, floor, ids } = position.parse(rows[0]);
    this.#gaps.clear();
    this.#noteGaps(floor, new Set(ids), top);
    this.#top = top;
    this.#mark = mark;
    this.#readAt = this.#now();
  }

  /** False when changes may have been missed: the process was away for too long, or the database lost its newest rows. */
  async isContinuous(run: RunQuery): Promise<boolean> {
    if (this.#now() - this.#readAt > AWAY_AT_MOST_MS) return false;
    if (this.#top === 0) return true;
    const text = 'SELECT extract(epoch FROM at)::text AS mark FROM berth_changes WHERE id = $1';
    const { rows } = await run({ text }, [this.#top]);
    return z.object({ mark: z.literal(this.#mark) }).safeParse(rows[0]).success;
  }

  /** The changes of others, and doubtful ones of this process, that were committed since the last time. */
  async readNew(run: RunQuery): Promise<OverlayChange[]> {
    const result = await run(
      {
        name: 'berth_read_changes',
        text: `SELECT id::float8 AS id, extract(epoch FROM at)::text AS mark, origin, kind, source, type, name FROM berth_changes
          WHERE id > $1 OR id = ANY($2::bigint[]) ORDER BY berth_changes.id`,
      },
      [this.#top, [...this.#gaps.keys()]],
    );
    this.#readAt = this.#now();
    return this.#takeOver(result);
  }

  /** Removes rows nobody needs; the newest stays, for `isContinuous`. */
  async prune(run: RunQuery): Promise<void> {
    await run({
      text: `DELETE FROM berth_changes
        WHERE at < now() - interval '${KEPT}' AND id < (SELECT max(id) FROM berth_changes)`,
    });
  }

  #takeOver({ rows }: QueryResult): OverlayChange[] {
    const changes: OverlayChange[] = [];
    const ids = new Set<number>();
    const before = this.#top;
    for (const raw of rows) {
      const { id, mark, origin, ...row } = logged.parse(raw);
      ids.add(id);
      this.#gaps.delete(id);
      if (id > this.#top) {
        this.#top = id;
        this.#mark = mark;
      }
      const change = loggedChange.safeParse(row);
      if (change.success && !this.#own.isKnown(origin)) changes.push(change.data);
    }
    this.#noteGaps(before, ids, this.#top);
    return changes;
  }

  #noteGaps(from: number, present: ReadonlySet<number>, to: number): void {
    const now = this.#now();
    for (const [id, since] of this.#gaps) if (now - since > OPEN_AT_MOST_MS) this.#gaps.delete(id);
    for (let id = Math.max(from + 1, to - MOST_GAPS); id < to; id++)
      if (!present.has(id)) this.#gaps.set(id, now);
  }
}
