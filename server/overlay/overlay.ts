import { messageOf } from '../../sources/errors.ts';
import { type ClaimSet, type Claims, claimsKey, normalizeClaims } from '../../sources/model/claims.ts';
import type { CatalogEntry, EntryStatus, EntryType } from '../../sources/model/entry.ts';
import { HttpError } from '../http/problem.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { ManagedSource, type OverlaySegment } from './overlay-segment.ts';
import type { EntryKey, OverlayStore, StoredEntry, StoredVersion } from './overlay-store.ts';
import type { OverlayTable } from './overlay-table.ts';
import { isStoreUnavailable } from './store-unavailable.ts';

/** What is published: a validated entry. */
export type PublishedEntry = Pick<
  CatalogEntry,
  'type' | 'name' | 'version' | 'body' | 'status' | 'tags' | 'tools'
>;

/** Looks at an entry's claims right before it is changed; throws to refuse the change. */
export type Admit = (claims: ClaimSet) => void;

/** Called in the turn in which the tables changed: whoever serves the source must swap to this segment before it returns. */
export type OnOverlayChange = (source: string, segment: OverlaySegment) => void;

export interface OverlayOptions {
  readonly onChange?: OnOverlayChange;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const ADMIT_ALL: Admit = () => {};

/**
 * The managed sources: the store, and in memory what is read of it. A change is answered when it is durable and
 * readable; changes of one entry happen one after the other, those of different entries share transactions. One file:
 * each change pairs a call of the store with the same change of the tables, which nobody else may write.
 */
export class Overlay {
  /** For records: sources and registries made through the API, states to be kept. */
  readonly store: OverlayStore;
  readonly #sources = new Map<string, ManagedSource>();
  readonly #queue = new KeyedQueue();
  readonly #now: () => number;
  #onChange: OnOverlayChange;
  #probing: Promise<string[]> | undefined;

  private constructor(store: OverlayStore, { onChange = () => {}, now = Date.now }: OverlayOptions) {
    this.store = store;
    this.#onChange = onChange;
    this.#now = now;
  }

  /** Reads everything the store holds. The store belongs to the overlay from then on. */
  static async open(store: OverlayStore, options: OverlayOptions = {}): Promise<Overlay> {
    const overlay = new Overlay(store, options);
    for (const entry of await store.loadEntries()) overlay.#reach(entry.source).addEntry(entry);
    return overlay;
  }

  /** Replaces who is told of changes. */
  set onChange(onChange: OnOverlayChange) {
    this.#onChange = onChange;
  }

  /** A managed source as it is now; empty when nothing was published into it. To be read in this turn only. */
  segmentOf(source: string): OverlaySegment {
    return this.#reach(source).segment;
  }

  /** The claims of an entry as they were written, `{}` for none; undefined when there is no such entry. */
  readClaims({ source, type, name }: EntryKey): Claims | undefined {
    return this.#sources.get(source)?.claimsOf(type, name);
  }

  /** Which of these sources hold the entry, in the order given. */
  findEntry(type: EntryType, name: string, sources: readonly string[]): EntryKey[] {
    return sources
      .map((source) => ({ source, type, name }))
      .filter((key) => this.readClaims(key) !== undefined);
  }

  /**
   * Adds a version to a source (specification 5.11, contract 6).
   * @returns the body as it is stored, JSON text
   * @throws HttpError 409 `claims_differ`, 409 `version_exists`, 503 `store_unavailable`
   */
  publish(source: string, entry: PublishedEntry, claims: Claims): Promise<string> {
    const key = { source, type: entry.type, name: entry.name };
    return this.#change(key, async (managed, table) => {
      const present = managed.claimsOf(entry.type, entry.name);
      if (present && !equalClaims(present, claims)) throw claimsDiffer();
      if (table.rowOf(entry.name, entry.version) >= 0) throw versionExists(entry);
      const stored = makeVersion(entry, this.#now());
      const outcome = await this.store.insertVersion(key, stored, claims);
      if (outcome !== 'stored') {
        // Another process of this registry was faster: take over what it wrote.
        await this.#reload(key);
        throw outcome === 'claims_differ' ? claimsDiffer() : versionExists(entry);
      }
      const kept = present ?? claims;
      table.addVersion(entry.name, stored, managed.classes.intern(kept), stored.publishedAt);
      managed.keepClaims(entry.type, entry.name, kept);
      this.#announce(managed, stored.publishedAt, key);
      return stored.body;
    });
  }

  /**
   * Removes a version for good, and its entry with the last one.
   * @throws HttpError 404 `entry_not_found`, 503 `store_unavailable`, what `admit` throws
   */
  deleteVersion(key: EntryKey, version: string, admit: Admit = ADMIT_ALL): Promise<void> {
    return this.#change(key, async (managed, table) => {
      this.#admit(managed, key, admit);
      this.#requireRow(table, key, version);
      if (!(await this.store.deleteVersion(key, version))) return this.#refuseGone(key);
      table.removeVersion(key.name, version);
      if (table.find(key.name) < 0) managed.keepClaims(key.type, key.name, undefined);
      this.#announce(managed, this.#now(), key);
    });
  }

  /**
   * Sets the status of a version; the same status and message again change nothing.
   * @throws HttpError 404 `entry_not_found`, 503 `store_unavailable`, what `admit` throws
   */
  setStatus(
    key: EntryKey,
    version: string,
    { status, statusMessage }: { readonly status: EntryStatus; readonly statusMessage?: string | undefined },
    admit: Admit = ADMIT_ALL,
  ): Promise<void> {
    return this.#change(key, async (managed, table) => {
      this.#admit(managed, key, admit);
      const row = this.#requireRow(table, key, version);
      if (table.statusOf(row) === status && table.statusMessageOf(row) === statusMessage) return;
      // A clock that stands still or goes back must not hide the change from who asks for what changed since.
      const change = { status, statusMessage, at: Math.max(this.#now(), table.timesOf(row).updated + 1) };
      if (!(await this.store.updateStatus(key, version, change))) return this.#refuseGone(key);
      table.changeStatus(key.name, version, change);
      this.#announce(managed, change.at, key);
    });
  }

  /**
   * Replaces the claims of an entry; `{}` clears them. The same claims again change nothing. No version counts as
   * updated by it, but each as changed since (see `OverlayTable.timesOf`).
   * @throws HttpError 404 `entry_not_found`, 503 `store_unavailable`, what `admit` throws
   */
  replaceClaims(key: EntryKey, claims: Claims, admit: Admit = ADMIT_ALL): Promise<void> {
    return this.#change(key, async (managed, table) => {
      const present = this.#admit(managed, key, admit);
      if (equalClaims(present, claims)) return;
      const at = this.#now();
      if (!(await this.store.replaceClaims(key, { claims, claimsChangedAt: at })))
        return this.#refuseGone(key);
      managed.keepClaims(key.type, key.name, claims);
      table.changeClaims(key.name, managed.classes.intern(claims), at);
      this.#announce(managed, at, key);
    });
  }

  /** Forgets a source with all that was published into it. Nobody is told: who deletes a source stops serving it. */
  async dropSource(source: string): Promise<void> {
    const managed = this.#sources.get(source);
    await this.store.deleteEntries(source);
    if (this.#sources.get(source) === managed) this.#sources.delete(source);
  }

  /** Reads one entry again from the store, after another process of this registry changed it. */
  refresh(key: EntryKey): Promise<void> {
    return this.#change(key, () => this.#reload(key));
  }

  /** Reads a managed source again, after another process removed all of it. */
  async refreshSource(source: string): Promise<void> {
    const entries = (await this.store.loadEntries()).filter((entry) => entry.source === source);
    this.#replaceSource(source, entries);
  }

  /** Reads everything again, after changes of other processes may have been missed. */
  async refreshAll(): Promise<void> {
    const bySource = new Map<string, StoredEntry[]>([...this.#sources.keys()].map((source) => [source, []]));
    for (const entry of await this.store.loadEntries()) {
      bySource.set(entry.source, [...(bySource.get(entry.source) ?? []), entry]);
    }
    for (const [source, entries] of bySource) this.#replaceSource(source, entries);
  }

  /** What keeps the store from taking writes, for readiness; empty when it does. */
  listTrouble(): Promise<string[]> {
    this.#probing ??= this.#probe();
    return this.#probing;
  }

  close(): Promise<void> {
    return this.store.close();
  }

  #replaceSource(source: string, entries: readonly StoredEntry[]): void {
    this.#sources.delete(source);
    const managed = this.#reach(source);
    for (const entry of entries) managed.addEntry(entry);
    this.#announce(managed, this.#now());
  }

  async #probe(): Promise<string[]> {
    try {
      await this.store.probe();
      return [];
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      return [messageOf(error)];
    } finally {
      this.#probing = undefined;
    }
  }

  #change<T>(key: EntryKey, change: (managed: ManagedSource, table: OverlayTable) => Promise<T>): Promise<T> {
    const managed = this.#reach(key.source);
    return this.#queue.run(`${key.source} ${key.type} ${key.name}`, async () => {
      if (this.#sources.get(key.source) !== managed) throw sourceGone();
      return change(managed, managed.tableOf(key.type));
    });
  }

  #reach(source: string): ManagedSource {
    const known = this.#sources.get(source);
    if (known) return known;
    const made = new ManagedSource(source);
    this.#sources.set(source, made);
    return made;
  }

  #admit(managed: ManagedSource, { type, name }: EntryKey, admit: Admit): Claims {
    const claims = managed.claimsOf(type, name);
    if (!claims) throw entryNotFound();
    admit(normalizeClaims(claims));
    return claims;
  }

  #requireRow(table: OverlayTable, { name }: EntryKey, version: string): number {
    const row = table.rowOf(name, version);
    if (row < 0) throw entryNotFound();
    return row;
  }

  async #refuseGone(key: EntryKey): Promise<never> {
    await this.#reload(key);
    throw entryNotFound();
  }

  async #reload(key: EntryKey): Promise<void> {
    const entry = await this.store.readEntry(key);
    const managed = this.#reach(key.source);
    managed.removeEntry(key.type, key.name);
    if (entry) managed.addEntry(entry);
    this.#announce(managed, this.#now(), key);
  }

  /** @param key the entry that changed; absent when the source was made anew */
  #announce(managed: ManagedSource, at: number, key?: EntryKey): void {
    if (key) managed.journal.note({ type: key.type, name: key.name });
    managed.touch(at);
    if (this.#sources.get(managed.source) === managed) this.#onChange(managed.source, managed.segment);
  }
}

/** The answer for an entry or version nobody published. */
export function entryNotFound(): HttpError {
  return new HttpError(
    404,
    'entry_not_found',
    'There is no such entry, or no such version of it, in a managed source.',
  );
}

function sourceGone(): HttpError {
  return new HttpError(400, 'source_unknown', 'The managed source was deleted meanwhile.');
}

function versionExists({ name, version }: PublishedEntry): HttpError {
  return new HttpError(
    409,
    'version_exists',
    `Version ${version} of ${name} is published already. Publish under another version.`,
  );
}

function claimsDiffer(): HttpError {
  return new HttpError(
    409,
    'claims_differ',
    'The entry was published with other claims. Send exactly the claims it has, or replace them first.',
  );
}

function equalClaims(a: Claims, b: Claims): boolean {
  return claimsKey(normalizeClaims(a)) === claimsKey(normalizeClaims(b));
}

function makeVersion({ version, body, tags, tools, status }: PublishedEntry, now: number): StoredVersion {
  return {
    version,
    body: JSON.stringify(body),
    tags,
    tools,
    status,
    publishedAt: now,
    updatedAt: now,
    statusChangedAt: now,
  };
}
