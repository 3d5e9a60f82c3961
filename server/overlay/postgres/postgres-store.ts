import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Claims, claimsKey, normalizeClaims } from '../../../sources/model/claims.ts';
import type { Log } from '../../observe/log.ts';
import type {
  EntryKey,
  ImportingStore,
  ImportOutcome,
  InsertOutcome,
  StatusChange,
  StoredClaims,
  StoredEntry,
  StoredRecord,
  StoredVersion,
} from '../overlay-store.ts';
import { planImport } from '../plan-import.ts';
import { groupEntries, keyValues, recordRow } from '../sqlite-rows.ts';
import { ChangeListener } from './change-listener.ts';
import { ChangeLog } from './change-log.ts';
import { type DatabaseConfig, readConnectionSettings } from './connection-settings.ts';
import { prepareDatabase } from './open-database.ts';
import { OwnChanges } from './own-changes.ts';
import { createBundleExchange } from './postgres-bundles.ts';
import { connectClient } from './postgres-client.ts';
import { ConnectionFailure } from './postgres-failure.ts';
import { PostgresPool, type SqlValue } from './postgres-pool.ts';
import type { ReplicaLink } from './replica-link.ts';
import { SourceLocks } from './source-locks.ts';
import * as SQL from './statements.ts';
import { TlsChoice } from './tls-choice.ts';
import { TransactionRunner } from './transaction-runner.ts';

const PROBE_BYTES = 4096;
/** Of connections that are made again and again: one that hangs is not to hold up the next try (contract 12.16). */
const RECONNECT_TIMEOUT_MS = 2000;

const heldRow = z.object({ claims_key: z.string() });
const insertRow = z.object({ claims_key: z.string(), stored: z.boolean() });

export interface PostgresStoreOptions {
  readonly config: DatabaseConfig;
  /** Where relative paths in the block start (absolute). */
  readonly baseDir: string;
  readonly log: Log;
  /** Milliseconds to wait at the start for a database that does not answer yet. */
  readonly patience?: number;
}

/**
 * The overlay in a PostgreSQL database that several processes share (contract 2 `database`, 10, 12.16). Decisions are
 * made under the lock of the entry's row, so that of concurrent publishes of a version one wins; a transaction that
 * loses against another one is done again. While the database is away calls are answered with 503 `store_unavailable`,
 * each tries anew.
 */
export class PostgresStore implements ImportingStore {
  readonly replicas: ReplicaLink;
  readonly #runner: TransactionRunner;
  readonly #own = new OwnChanges();
  readonly #changes = new ChangeLog(this.#own);
  readonly #locks: SourceLocks;
  #listener: ChangeListener | undefined;
  #closing: Promise<void> | undefined;

  private constructor({ config, baseDir, log }: PostgresStoreOptions) {
    const settings = readConnectionSettings(config, baseDir);
    const tls = new TlsChoice(settings);
    const connect = (onLost: (error: Error) => void) =>
      connectClient(settings, tls, { onLost, timeout: RECONNECT_TIMEOUT_MS }).catch((error) => {
        throw new ConnectionFailure(false, error);
      });
    this.#runner = new TransactionRunner(new PostgresPool(settings, tls), this.#own);
    this.#locks = new SourceLocks(connect);
    this.replicas = {
      bundles: createBundleExchange(this.#runner),
      readRecord: async (kind, name) => {
        const [row] = (await this.#runner.query(SQL.READ_RECORD, [kind, name])).rows;
        return row === undefined ? undefined : recordRow.parse(row).json;
      },
      listenForChanges: (handlers) => {
        if (this.#listener) throw new TypeError('changes of the store are listened for already');
        const listener = new ChangeListener({
          ...handlers,
          connect,
          changes: this.#changes,
          own: this.#own,
          log,
        });
        this.#listener = listener;
        return () => listener.close();
      },
      pruneChanges: () => this.#changes.prune((statement) => this.#runner.query(statement)),
      tryLockSource: (source) => this.#locks.tryLock(source),
    };
  }

  /**
   * Connects, and migrates the database when it has to.
   * @throws BerthError `database_invalid`, `database_unreachable`, `database_migration_refused`, `overlay_too_new`
   */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const { config, baseDir, patience } = options;
    await prepareDatabase(config, baseDir, readConnectionSettings(config, baseDir), patience);
    const store = new PostgresStore(options);
    try {
      // Before anything is read: what is committed while it is being read is told afterwards.
      await store.#changes.moveToEnd((statement) => store.#runner.query(statement));
    } catch (error) {
      await store.close();
      throw error;
    }
    return store;
  }

  loadEntries(): Promise<readonly StoredEntry[]> {
    return this.#runner.read(async (run) => {
      await run({ text: `SET LOCAL statement_timeout = ${SQL.LOAD_ENTRIES.timeout}` });
      return groupEntries((await run(SQL.LOAD_ENTRIES)).rows);
    });
  }

  async readEntry(key: EntryKey): Promise<StoredEntry | undefined> {
    return groupEntries((await this.#runner.query(SQL.READ_ENTRY, keyValues(key))).rows)[0];
  }

  async insertVersion(key: EntryKey, version: StoredVersion, claims: Claims): Promise<InsertOutcome> {
    const wanted = claimsKey(normalizeClaims(claims));
    const { rows } = await this.#runner.changeAtOnce(
      { kind: 'entry', ...key },
      SQL.INSERT_VERSION,
      [...keyValues(key), JSON.stringify(claims), wanted, ...versionValues(version)],
      (result) => insertRow.parse(result.rows[0]).stored,
    );
    const row = insertRow.parse(rows[0]);
    if (row.stored) return 'stored';
    return row.claims_key === wanted ? 'version_exists' : 'claims_differ';
  }

  importEntry(entry: StoredEntry): Promise<ImportOutcome> {
    const { source, type, name, claims, claimsChangedAt } = entry;
    const ofEntry = keyValues(entry);
    const wanted = claimsKey(normalizeClaims(claims));
    return this.#runner.change(
      { kind: 'entry', source, type, name },
      async (run) => {
        const held = await run(SQL.HOLD_ENTRY, [...ofEntry, JSON.stringify(claims), wanted, claimsChangedAt]);
        const present = groupEntries((await run(SQL.READ_ENTRY, ofEntry)).rows)[0]?.versions ?? [];
        const { claims_key } = heldRow.parse(held.rows[0]);
        const { result, missing } = planImport({ claimsKey: claims_key, versions: present }, entry);
        for (const version of missing) await run(SQL.ADD_VERSION, [...ofEntry, ...versionValues(version)]);
        return result;
      },
      ({ outcome }) => outcome === 'stored',
    );
  }

  deleteVersion(key: EntryKey, version: string): Promise<boolean> {
    const ofEntry = keyValues(key);
    return this.#runner.change(
      { kind: 'entry', ...key },
      async (run) => {
        // The rows that are left are to be counted after everybody else who adds one has finished.
        await run(SQL.LOCK_ENTRY, ofEntry);
        const { count } = await run(SQL.DELETE_VERSION, [...ofEntry, version]);
        if (count > 0) await run(SQL.DELETE_EMPTY_ENTRY, ofEntry);
        return count > 0;
      },
      (changed) => changed,
    );
  }

  updateStatus(
    key: EntryKey,
    version: string,
    { status, statusMessage, at }: StatusChange,
  ): Promise<boolean> {
    const values = [...keyValues(key), version, status, statusMessage ?? null, at];
    return this.#runner.changeRow({ kind: 'entry', ...key }, SQL.UPDATE_STATUS, values);
  }

  replaceClaims(key: EntryKey, { claims, claimsChangedAt }: StoredClaims): Promise<boolean> {
    const values = [
      ...keyValues(key),
      JSON.stringify(claims),
      claimsKey(normalizeClaims(claims)),
      claimsChangedAt,
    ];
    return this.#runner.changeRow({ kind: 'entry', ...key }, SQL.REPLACE_CLAIMS, values);
  }

  deleteEntries(source: string): Promise<number> {
    return this.#runner.change(
      { kind: 'source', source },
      async (run) => (await run(SQL.DELETE_ENTRIES, [source])).count,
      (count) => count > 0,
    );
  }

  async putRecord(kind: string, name: string, json: string): Promise<void> {
    await this.#runner.changeRow({ kind: 'record', type: kind, name }, SQL.PUT_RECORD, [kind, name, json]);
  }

  async insertRecord(kind: string, name: string, json: string): Promise<boolean> {
    return this.#runner.changeRow({ kind: 'record', type: kind, name }, SQL.INSERT_RECORD, [
      kind,
      name,
      json,
    ]);
  }

  deleteRecord(kind: string, name: string): Promise<boolean> {
    return this.#runner.changeRow({ kind: 'record', type: kind, name }, SQL.DELETE_RECORD, [kind, name]);
  }

  async listRecords(kind: string): Promise<readonly StoredRecord[]> {
    return (await this.#runner.query(SQL.LIST_RECORDS, [kind])).rows.map((row) => recordRow.parse(row));
  }

  async probe(): Promise<void> {
    await this.#runner.query(SQL.PROBE, [randomBytes(PROBE_BYTES)]);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#listener?.close();
    await this.#locks.close();
    await this.#runner.close();
  }
}

/** The columns of a version, in the order of the statements. */
function versionValues(version: StoredVersion): SqlValue[] {
  return [
    version.version,
    version.body,
    JSON.stringify(version.tags),
    JSON.stringify(version.tools),
    version.status,
    version.statusMessage ?? null,
    version.publishedAt,
    version.updatedAt,
    version.statusChangedAt,
  ];
}
