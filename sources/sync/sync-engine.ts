import { BundleStore } from '../bundle/bundle-store.ts';
import type { SourceRecord } from '../bundle/manifest.ts';
import type { SourceConfig } from '../config/schema.ts';
import { type FileWatch, watchFileSource } from '../kinds/watch-file.ts';
import type { Compiler } from './compiler.ts';
import type { RefreshJob } from './refresh-source.ts';
import { createSlots } from './slots.ts';
import type { SourceSharing } from './source-sharing.ts';
import { type SyncDeps, type SyncEvents, SyncedSource } from './synced-source.ts';

export interface SyncEngineOptions {
  readonly compiler: Compiler;
  readonly baseDir: string;
  readonly dataDir: string;
  readonly bundleDir: string;
  readonly maxMetaBytes: number;
  /** Whether a source may lead to private addresses. */
  readonly allowPrivate: (source: string) => boolean;
  readonly events: SyncEvents;
  /** Absent when this is the only process. */
  readonly sharing?: SourceSharing | undefined;
  readonly now?: () => number;
  readonly random?: () => number;
  /** Told when something beside a source goes wrong (watching a path, reading the manifest). */
  readonly onTrouble: (source: string, error: unknown) => void;
}

const CONCURRENT_SOURCES = 16;
const MANIFEST_POLL_MS = 1_000;

/**
 * Keeps all synced sources up to date: each on its own schedule, watched paths at once, bundles that another process
 * made current (rollback) within a second. One source that hangs delays no other.
 */
export class SyncEngine {
  readonly #options: SyncEngineOptions;
  readonly #deps: SyncDeps;
  readonly #store: BundleStore;
  readonly #sources = new Map<string, { synced: SyncedSource; watch: FileWatch | undefined }>();
  #poll: NodeJS.Timeout | undefined;
  #manifestSeen = 0;

  constructor(options: SyncEngineOptions) {
    this.#options = options;
    this.#store = new BundleStore(options.bundleDir);
    this.#deps = {
      compiler: options.compiler,
      now: options.now ?? Date.now,
      random: options.random ?? Math.random,
      jobOf: (source) => this.#jobOf(source),
      readRecord: (source) => this.#store.readSource(source),
      events: options.events,
      sharing: options.sharing,
      slots: createSlots(CONCURRENT_SOURCES),
    };
  }

  /**
   * The synced sources from now on: new and changed ones are started, others go on, missing ones stop.
   * @returns a promise that settles when every started source was tried once
   */
  setSources(configs: readonly SourceConfig[]): Promise<void> {
    const wanted = new Map(configs.map((config) => [config.name, config]));
    for (const [name, { synced }] of this.#sources) {
      if (!isSameSource(wanted.get(name), synced.config)) this.#remove(name);
    }
    const added = configs
      .filter((config) => !this.#sources.has(config.name))
      .map((config) => this.#add(config));
    this.#poll ??= setInterval(() => void this.#noticeRollbacks(), MANIFEST_POLL_MS).unref();
    return Promise.all(added.map((synced) => synced.start())).then(() => undefined);
  }

  get(name: string): SyncedSource | undefined {
    return this.#sources.get(name)?.synced;
  }

  readRecord(name: string): Promise<SourceRecord | undefined> {
    return this.#store.readSource(name);
  }

  /** Makes an earlier bundle current and opens it. @throws BerthError `bundle_unknown` */
  async rollback(name: string, hash: string | undefined): Promise<SourceRecord> {
    const change = () => this.#options.compiler.rollback(this.#options.bundleDir, name, hash);
    const synced = this.get(name);
    return synced ? synced.rollback(change) : change();
  }

  async close(): Promise<void> {
    clearInterval(this.#poll);
    for (const name of [...this.#sources.keys()]) this.#remove(name);
    await this.#options.compiler.close();
  }

  #add(config: SourceConfig): SyncedSource {
    const synced = new SyncedSource(config, this.#deps);
    const { baseDir, onTrouble } = this.#options;
    const watch =
      config.file?.path === undefined
        ? undefined
        : watchFileSource(config.file.path, baseDir, () => synced.notice(), {
            onError: (error) => onTrouble(config.name, error),
          });
    this.#sources.set(config.name, { synced, watch });
    return synced;
  }

  #remove(name: string): void {
    const known = this.#sources.get(name);
    this.#sources.delete(name);
    known?.synced.stop();
    void known?.watch?.close();
  }

  async #noticeRollbacks(): Promise<void> {
    const changedAt = await this.#store.manifestChangedAt();
    if (changedAt === this.#manifestSeen) return;
    this.#manifestSeen = changedAt;
    for (const [name, { synced }] of this.#sources) {
      await synced.noticeManifest().catch((error: unknown) => this.#options.onTrouble(name, error));
    }
  }

  #jobOf(source: SourceConfig): RefreshJob {
    const { baseDir, dataDir, bundleDir, maxMetaBytes, allowPrivate } = this.#options;
    return { source, baseDir, dataDir, bundleDir, maxMetaBytes, allowPrivate: allowPrivate(source.name) };
  }
}

/** Claims are read by whoever serves the bundle; a change of them fetches nothing. */
function isSameSource(a: SourceConfig | undefined, b: SourceConfig): boolean {
  if (!a) return false;
  const { claims: _a, ...settingsA } = a;
  const { claims: _b, ...settingsB } = b;
  return JSON.stringify(settingsA) === JSON.stringify(settingsB);
}
