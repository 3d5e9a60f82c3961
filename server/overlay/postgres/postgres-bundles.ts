import { z } from 'zod';
import { hashBundle } from '../../../sources/bundle/format.ts';
import { bundleRecordSchema, KEPT_BUNDLES, sourceRecordSchema } from '../../../sources/bundle/manifest.ts';
import { BerthError } from '../../../sources/errors.ts';
import type { OverlayChange } from './overlay-change.ts';
import type { RunQuery, Statement } from './postgres-pool.ts';
import type { BundleExchange } from './replica-link.ts';

/** Bundles are large: their statements may take longer than others. */
const TIMEOUT_MS = 60_000;
const RAISE_LIMIT: Statement = { text: `SET LOCAL statement_timeout = ${TIMEOUT_MS}` };

/** The columns of a current bundle; when it was changed tells it from another time the same one was current. */
const CURRENT = 'source, hash, input, extract(epoch FROM changed_at)::text AS mark';

const PUT_BUNDLE: Statement = {
  text: `
    INSERT INTO berth_bundles (source, hash, bytes, times, record) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (source, hash) DO UPDATE
    SET times = excluded.times, record = excluded.record, created_at = excluded.created_at`,
  timeout: TIMEOUT_MS,
};
const PUT_CURRENT: Statement = {
  text: `
    INSERT INTO berth_current_bundle (source, hash, input) VALUES ($1, $2, $3)
    ON CONFLICT (source) DO UPDATE
    SET hash = excluded.hash, input = excluded.input, changed_at = clock_timestamp()
    RETURNING ${CURRENT}`,
};
const DROP_OLD: Statement = {
  text: `
    DELETE FROM berth_bundles WHERE source = $1 AND hash NOT IN (
      SELECT hash FROM berth_bundles WHERE source = $1 ORDER BY created_at DESC LIMIT $2
    ) AND hash NOT IN (SELECT hash FROM berth_current_bundle WHERE source = $1)`,
};
/** Until somebody else who is at it has finished, whose removed bundles are then seen. */
const LOCK_CURRENT: Statement = {
  text: 'SELECT 1 FROM berth_current_bundle WHERE source = $1 FOR UPDATE',
};
const SET_CURRENT: Statement = {
  text: `
    UPDATE berth_current_bundle SET hash = $2, changed_at = clock_timestamp()
    WHERE source = $1 AND EXISTS (SELECT FROM berth_bundles WHERE source = $1 AND hash = $2)
    RETURNING ${CURRENT}`,
};
const SET_TIMES: Statement = { text: 'UPDATE berth_bundles SET times = $3 WHERE source = $1 AND hash = $2' };

const json = <T>(schema: z.ZodType<T>) => z.string().transform((text) => schema.parse(JSON.parse(text)));
const current = z.object({
  source: z.string(),
  hash: z.string(),
  input: json(sourceRecordSchema.shape.input),
  mark: z.string(),
});
const recordColumn = z.object({ record: json(bundleRecordSchema) });
const stored = recordColumn.extend({
  bytes: z.instanceof(Uint8Array),
  times: z.instanceof(Uint8Array).nullable(),
});

export interface ExchangeRunner {
  /** One transaction whose change is told to the others. */
  change<T>(
    change: OverlayChange,
    work: (run: RunQuery) => Promise<T>,
    counts: (result: T) => boolean,
  ): Promise<T>;
  /** One transaction. */
  read<T>(work: (run: RunQuery) => Promise<T>): Promise<T>;
}

/** Keeps bundles in the database. */
export function createBundleExchange(runner: ExchangeRunner): BundleExchange {
  return {
    put: async ({ source, hash, bytes, times, record, input }) => {
      return runner.change(
        { kind: 'bundle', source },
        async (run) => {
          await run(RAISE_LIMIT);
          await run(PUT_BUNDLE, [source, hash, bytes, times ?? null, JSON.stringify(record)]);
          const { rows } = await run(PUT_CURRENT, [source, hash, JSON.stringify(input)]);
          await run(DROP_OLD, [source, KEPT_BUNDLES]);
          return current.parse(rows[0]);
        },
        () => true,
      );
    },
    setCurrent: (source, hash, times) =>
      runner.change(
        { kind: 'bundle', source },
        async (run) => {
          await run(LOCK_CURRENT, [source]);
          const [row] = (await run(SET_CURRENT, [source, hash])).rows;
          if (row === undefined) return undefined;
          await run(SET_TIMES, [source, hash, times ?? null]);
          return current.parse(row);
        },
        (changed) => changed !== undefined,
      ),
    findCurrent: (source) =>
      runner.read(async (run) => {
        const text = `SELECT ${CURRENT} FROM berth_current_bundle WHERE source = $1`;
        const [row] = (await run({ name: 'berth_find_current', text }, [source])).rows;
        return row === undefined ? undefined : current.parse(row);
      }),
    listCurrent: () =>
      runner.read(async (run) => {
        const { rows } = await run({
          text: `SELECT ${CURRENT} FROM berth_current_bundle ORDER BY source`,
        });
        return rows.map((row) => current.parse(row));
      }),
    listRecords: (source) =>
      runner.read(async (run) => {
        const text = 'SELECT record FROM berth_bundles WHERE source = $1 ORDER BY created_at DESC';
        return (await run({ text }, [source])).rows.map((row) => recordColumn.parse(row).record);
      }),
    get: (source, hash) =>
      runner.read(async (run) => {
        await run(RAISE_LIMIT);
        const text = 'SELECT bytes, times, record FROM berth_bundles WHERE source = $1 AND hash = $2';
        const { rows } = await run({ text, timeout: TIMEOUT_MS }, [source, hash]);
        return rows[0] === undefined ? undefined : readBundle(source, hash, rows[0]);
      }),
    drop: async (source) => {
      await runner.change(
        { kind: 'bundle', source },
        async (run) => {
          await run({ text: 'DELETE FROM berth_current_bundle WHERE source = $1' }, [source]);
          return (await run({ text: 'DELETE FROM berth_bundles WHERE source = $1' }, [source])).count;
        },
        (count) => count > 0,
      );
    },
  };
}

function readBundle(source: string, hash: string, row: unknown) {
  const { bytes, times, record } = stored.parse(row);
  if (hashBundle(bytes) !== hash) {
    throw new BerthError(
      'bundle_tampered',
      `The bundle ${hash.slice(0, 12)} of source ${source} in the database does not have the content its hash says.`,
      { fix: 'Let the source be synchronised anew.' },
    );
  }
  // A copy begins at an address that arrays of larger numbers may be laid over.
  return { bytes: new Uint8Array(bytes), times: times ? new Uint8Array(times) : undefined, record };
}
