import type { Statement } from './postgres-pool.ts';

const OF_ENTRY = 'source = $1 AND type = $2 AND name = $3';
const LOG = 'INSERT INTO berth_changes (origin, kind, source, type, name)';
const VERSION_COLUMNS =
  'version, body, tags, tools, status, status_message, published_at, updated_at, status_changed_at';
// `bigint` would come as text.
const ENTRY_COLUMNS = `v.source, v.type, v.name, e.claims, e.claims_changed_at::float8, v.version, v.body, v.tags, v.tools,
  v.status, v.status_message, v.published_at::float8, v.updated_at::float8, v.status_changed_at::float8`;
const ENTRIES = 'FROM berth_versions v JOIN berth_entries e USING (source, type, name)';

/** Most answers at once; reading everything takes longer than one entry. */
const LOAD_TIMEOUT_MS = 60_000;

/** Every entry, for `groupEntries`. */
export const LOAD_ENTRIES: Statement = {
  text: `SELECT ${ENTRY_COLUMNS} ${ENTRIES} ORDER BY v.source, v.type, v.name`,
  timeout: LOAD_TIMEOUT_MS,
};

export const READ_ENTRY: Statement = {
  name: 'berth_read_entry',
  text: `SELECT ${ENTRY_COLUMNS} ${ENTRIES} WHERE v.source = $1 AND v.type = $2 AND v.name = $3`,
};

/**
 * $1-$3 entry, $4 claims, $5 claims key, $6-$14 the version, $15 origin. Writing to the entry's row, even what it holds
 * already, keeps others that decide about the entry waiting and shows the claims it has now, not those of when the
 * statement began. Answers `claims_key` and whether the version was `stored`.
 */
export const INSERT_VERSION: Statement = {
  name: 'berth_insert_version',
  text: `
    WITH entry AS (
      INSERT INTO berth_entries AS e (source, type, name, claims, claims_key, claims_changed_at)
      VALUES ($1, $2, $3, $4, $5, $12)
      ON CONFLICT (source, type, name) DO UPDATE SET claims_key = e.claims_key
      RETURNING e.claims_key
    ), stored AS (
      INSERT INTO berth_versions (source, type, name, ${VERSION_COLUMNS})
      SELECT $1, $2, $3, $6::text, $7::text, $8::text, $9::text, $10::text, $11::text, $12::bigint, $13::bigint, $14::bigint
      FROM entry WHERE entry.claims_key = $5
      ON CONFLICT DO NOTHING RETURNING 1
    ), logged AS (
      ${LOG} SELECT $15::text, 'entry', $1, $2, $3 FROM stored
    )
    SELECT entry.claims_key, EXISTS (SELECT FROM stored) AS stored FROM entry`,
};

/**
 * $1-$3 entry, $4 claims, $5 claims key, $6 their time. Adds the entry or, when it is there, only takes its lock; answers
 * the `claims_key` it has now.
 */
export const HOLD_ENTRY: Statement = {
  name: 'berth_hold_entry',
  text: `
    INSERT INTO berth_entries AS e (source, type, name, claims, claims_key, claims_changed_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (source, type, name) DO UPDATE SET claims_key = e.claims_key
    RETURNING e.claims_key`,
};

/** $1-$3 entry, $4-$12 the version. */
export const ADD_VERSION: Statement = {
  name: 'berth_add_version',
  text: `
    INSERT INTO berth_versions (source, type, name, ${VERSION_COLUMNS})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
};

/** Keeps others that decide about the entry waiting until the transaction ends. */
export const LOCK_ENTRY: Statement = {
  name: 'berth_lock_entry',
  text: `SELECT 1 FROM berth_entries WHERE ${OF_ENTRY} FOR UPDATE`,
};

export const DELETE_VERSION: Statement = {
  name: 'berth_delete_version',
  text: `DELETE FROM berth_versions WHERE ${OF_ENTRY} AND version = $4`,
};

export const DELETE_EMPTY_ENTRY: Statement = {
  name: 'berth_delete_empty_entry',
  text: `DELETE FROM berth_entries WHERE ${OF_ENTRY} AND NOT EXISTS (SELECT FROM berth_versions WHERE ${OF_ENTRY})`,
};

/** $1 origin, $2-$5 the columns of a change. */
export const LOG_CHANGE: Statement = {
  name: 'berth_log_change',
  text: `${LOG} VALUES ($1, $2, $3, $4, $5)`,
};

/** $1-$3 entry, $4 version, $5 status, $6 message, $7 time, $8 origin; counts the version. */
export const UPDATE_STATUS: Statement = {
  name: 'berth_update_status',
  text: `
    WITH changed AS (
      UPDATE berth_versions SET status = $5, status_message = $6, updated_at = $7, status_changed_at = $7
      WHERE ${OF_ENTRY} AND version = $4 RETURNING 1
    )
    ${LOG} SELECT $8::text, 'entry', $1, $2, $3 FROM changed`,
};

/** $1-$3 entry, $4 claims, $5 claims key, $6 time, $7 origin; counts the entry. */
export const REPLACE_CLAIMS: Statement = {
  name: 'berth_replace_claims',
  text: `
    WITH changed AS (
      UPDATE berth_entries SET claims = $4, claims_key = $5, claims_changed_at = $6 WHERE ${OF_ENTRY} RETURNING 1
    )
    ${LOG} SELECT $7::text, 'entry', $1, $2, $3 FROM changed`,
};

export const DELETE_ENTRIES: Statement = { text: 'DELETE FROM berth_entries WHERE source = $1' };

/** $1 kind, $2 name, $3 JSON, $4 origin. */
export const PUT_RECORD: Statement = {
  name: 'berth_put_record',
  text: `
    WITH put AS (
      INSERT INTO berth_records (kind, name, json) VALUES ($1, $2, $3)
      ON CONFLICT (kind, name) DO UPDATE SET json = excluded.json RETURNING 1
    )
    ${LOG} SELECT $4::text, 'record', '', $1, $2 FROM put`,
};

/** $1 kind, $2 name, $3 JSON, $4 origin; counts the record when there was none. */
export const INSERT_RECORD: Statement = {
  name: 'berth_insert_record',
  text: `
    WITH put AS (
      INSERT INTO berth_records (kind, name, json) VALUES ($1, $2, $3) ON CONFLICT (kind, name) DO NOTHING RETURNING 1
    )
    ${LOG} SELECT $4::text, 'record', '', $1, $2 FROM put`,
};

/** $1 kind, $2 name, $3 origin; counts the record. */
export const DELETE_RECORD: Statement = {
  name: 'berth_delete_record',
  text: `
    WITH gone AS (DELETE FROM berth_records WHERE kind = $1 AND name = $2 RETURNING 1)
    ${LOG} SELECT $3::text, 'record', '', $1, $2 FROM gone`,
};

export const LIST_RECORDS: Statement = {
  name: 'berth_list_records',
  text: 'SELECT kind, name, json FROM berth_records WHERE kind = $1 ORDER BY name',
};

export const READ_RECORD: Statement = {
  name: 'berth_read_record',
  text: 'SELECT kind, name, json FROM berth_records WHERE kind = $1 AND name = $2',
};

/** $1 bytes of no meaning. Stopped early: whoever asks whether the store is well wants to know soon. */
export const PROBE: Statement = {
  name: 'berth_probe',
  text: 'INSERT INTO berth_probe (id, filler) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET filler = excluded.filler',
  timeout: 4000,
};
