import { join } from 'node:path';
import type { LoadedConfig, SourceConfig } from '../sources/config/schema.ts';
import { BerthError } from '../sources/errors.ts';
import type { Segment } from '../sources/model/entry-table.ts';
import type { Compiler } from '../sources/sync/compiler.ts';
import type { SourceSharing } from '../sources/sync/source-sharing.ts';
import { PENDING, type SourceStatus } from '../sources/sync/source-status.ts';
import { SyncEngine } from '../sources/sync/sync-engine.ts';
import type { SyncEvents } from '../sources/sync/synced-source.ts';
import { type Declarations, type DeclaredSource, declareAll } from './declared.ts';
import { HttpError } from './http/problem.ts';
import { KubernetesSources } from './kubernetes/kubernetes-sources.ts';
import type { Overlay } from './overlay/overlay.ts';
import { onlyApi, planWorld } from './plan-world.ts';
import type { KnownSource } from './source-report.ts';
import { BundleSegment } from './view/bundle-segment.ts';
import { World } from './view/world.ts';

export interface ServiceEvents extends Pick<SyncEvents, 'onSynced' | 'onFailed'> {
  /** Another world is served; `seconds` it took to make it. */
  onSwap(source: string, segment: Segment, seconds: number): void;
  onTrouble(source: string, error: unknown): void;
}

export interface ServiceOptions {
  readonly loaded: LoadedConfig;
  readonly overlay: Overlay;
  /** What was made through the API before. */
  readonly api: Declarations;
  readonly compiler: Compiler;
  readonly events: ServiceEvents;
  /** Absent when this is the only process. */
  readonly sharing?: SourceSharing | undefined;
  readonly now?: () => number;
}

const MANAGED_STATUS: SourceStatus = {
  ...PENDING,
  phase: 'complete',
  message: 'Entries are published, not synchronised.',
};

/**
 * What is served and where it comes from: the world, the sources behind it, and how they are kept up to date. Longer
 * than others because it is the one place where all of these meet and change together.
 */
export class RegistryService {
  #loaded: LoadedConfig;
  #declarations: Declarations;
  #world: World;
  readonly #overlay: Overlay;
  readonly #engine: SyncEngine;
  readonly #kubernetes: KubernetesSources;
  readonly #events: ServiceEvents;
  readonly #now: () => number;
  readonly #sharing: SourceSharing | undefined;

  /** @throws BerthError `name_taken`, `source_in_use` when configuration and API contradict each other */
  constructor(options: ServiceOptions) {
    const { loaded, compiler, events, overlay, api, sharing, now = Date.now } = options;
    const { sources, registries } = loaded.config;
    this.#loaded = loaded;
    this.#overlay = overlay;
    this.#events = events;
    this.#now = now;
    this.#sharing = sharing;
    this.#declarations = declareAll({ sources, registries, api, before: undefined, now: now() });
    this.#world = World.build([], new Map());
    this.#engine = new SyncEngine({
      compiler,
      baseDir: loaded.baseDir,
      dataDir: loaded.dataDir,
      bundleDir: join(loaded.dataDir, 'bundles'),
      maxMetaBytes: loaded.config.limits.maxMetaBytes,
      allowPrivate: (name) => this.#mayReachPrivate(name),
      sharing,
      now,
      onTrouble: events.onTrouble,
      events: {
        onBundle: (source, bundle, status) => {
          const declared = this.#declarations.sources.get(source.name);
          if (!declared || !status.bundle) return;
          this.replaceSegment(new BundleSegment(source.name, declared.config.claims, bundle, status.bundle));
        },
        onSynced: events.onSynced,
        onFailed: events.onFailed,
      },
    });
    this.#kubernetes = new KubernetesSources({
      baseDir: loaded.baseDir,
      maxMetaBytes: loaded.config.limits.maxMetaBytes,
      allowPrivate: (name) => this.#mayReachPrivate(name),
      allowCommands: (name) => this.#isConfigured(name),
      onSegment: (segment) => this.replaceSegment(segment),
      events,
      now,
    });
    overlay.onChange = (source, segment) => {
      if (this.#declarations.sources.get(source)?.config.managed) this.replaceSegment(segment);
    };
    this.#rebuild();
  }

  get world(): World {
    return this.#world;
  }

  get loaded(): LoadedConfig {
    return this.#loaded;
  }

  get declarations(): Declarations {
    return this.#declarations;
  }

  /** Starts synchronising; settles when every source was tried once. */
  start(): Promise<void> {
    return this.#startSources();
  }

  /**
   * Takes another configuration over without dropping what is served: claims apply at once, unchanged sources are not
   * fetched again (contract 2).
   * @throws BerthError `name_taken`, `source_in_use`; what was before stays
   */
  reload(loaded: LoadedConfig): void {
    const { sources, registries } = loaded.config;
    const before = this.#declarations;
    this.#declarations = declareAll({ sources, registries, api: onlyApi(before), before, now: this.#now() });
    this.#loaded = loaded;
    this.#apply();
  }

  /** Serves another set of sources and registries, one of which was changed through the API. */
  declare(declarations: Declarations): void {
    this.#declarations = declarations;
    this.#apply();
  }

  /**
   * Serves what was made through the API as the store has it now, after another process changed it.
   * @param read reads it; again when something was declared meanwhile, which it may have missed
   * @throws BerthError `name_taken`, `source_in_use`; what `read` throws
   */
  async takeOver(read: () => Promise<Declarations>): Promise<void> {
    let before: Declarations;
    let api: Declarations;
    do {
      before = this.#declarations;
      api = await read();
    } while (before !== this.#declarations);
    const { sources, registries } = this.#loaded.config;
    this.declare(declareAll({ sources, registries, api, before, now: this.#now() }));
  }

  /** Opens the bundle of a source that is current for all processes. */
  async follow(source: string): Promise<void> {
    await this.#engine.get(source)?.follow();
  }

  /** Learns how the process that fetches a source got on. */
  async followStatus(source: string): Promise<void> {
    await this.#engine.get(source)?.followStatus();
  }

  /** An earlier bundle of a source was made current in the data directory: opens it, in all processes. */
  async noticeRollback(source: string): Promise<void> {
    await this.#engine.get(source)?.noticeManifest();
  }

  /** Removes what other processes were given of a source that was deleted. */
  async forgetSource(source: string): Promise<void> {
    await this.#sharing?.forget(source);
  }

  /** Another process was asked to sync a source: done when this one leads it. */
  noticeRequest(source: string): void {
    this.#engine.get(source)?.notice();
  }

  /** Serves another segment for its source from now on. */
  replaceSegment(segment: Segment): void {
    const started = performance.now();
    this.#world = this.#world.withSegment(segment);
    this.#events.onSwap(segment.source, segment, (performance.now() - started) / 1000);
  }

  listSources(): KnownSource[] {
    return [...this.#declarations.sources.values()].map((declared) => this.#describe(declared));
  }

  findSource(name: string): KnownSource | undefined {
    const declared = this.#declarations.sources.get(name);
    return declared && this.#describe(declared);
  }

  /**
   * Asks for a sync now; one under way is joined (contract 6).
   * @throws HttpError 409 `source_not_syncable`, 503 `store_unavailable` when another process would have to be told
   */
  async requestSync(name: string): Promise<SourceStatus> {
    const synced = this.#engine.get(name);
    if (!synced) {
      throw new HttpError(
        409,
        'source_not_syncable',
        'Entries of this source are not fetched, so there is nothing to sync.',
      );
    }
    await synced.request();
    return synced.status;
  }

  /**
   * Serves an earlier bundle of a source.
   * @throws HttpError 404 `bundle_unknown`, 503 `store_unavailable` when other processes cannot be told
   */
  async rollback(name: string, hash: string | undefined): Promise<void> {
    try {
      await this.#engine.rollback(name, hash);
    } catch (error) {
      if (!(error instanceof BerthError) || error.code !== 'bundle_unknown') throw error;
      throw new HttpError(404, error.code, error.describe());
    }
  }

  /** The bundles of a source that are kept, newest first, the served one marked (contract 6). */
  async listBundles(name: string): Promise<Record<string, unknown>[]> {
    const record = await this.#engine.readRecord(name);
    return (record?.bundles ?? []).map(({ hash, ...bundle }) => ({
      hash: `sha256:${hash}`,
      current: hash === record?.current,
      ...bundle,
    }));
  }

  /** Sources that are neither served nor known to have failed (contract 9, readiness). */
  listMissing(): string[] {
    return this.listSources()
      .filter(({ config, status }) => !this.#world.segments.has(config.name) && status.attempts === 0)
      .map(({ config }) => `source ${config.name} has not been synchronised yet`);
  }

  close(): Promise<void> {
    this.#kubernetes.close();
    return this.#engine.close();
  }

  #apply(): void {
    this.#rebuild();
    void this.#startSources();
  }

  async #startSources(): Promise<void> {
    const configs = [...this.#declarations.sources.values()].map(({ config }) => config);
    await Promise.all([
      this.#engine.setSources(configs.filter(isSynced)),
      this.#kubernetes.setSources(configs.filter(({ kubernetes }) => kubernetes)),
    ]);
  }

  /** Builds the world anew over the segments that are open; claims come from the declarations as they are now. */
  #rebuild(): void {
    this.#world = planWorld(this.#declarations, ({ name, managed }) =>
      managed ? this.#overlay.segmentOf(name) : this.#world.segments.get(name),
    );
  }

  #mayReachPrivate(name: string): boolean {
    return this.#isConfigured(name) || this.#loaded.config.sourcesPolicy.allowPrivateIP;
  }

  #isConfigured(name: string): boolean {
    return this.#declarations.sources.get(name)?.creationType === 'CONFIG';
  }

  #describe(declared: DeclaredSource): KnownSource {
    const { config } = declared;
    if (config.managed) return { ...declared, status: this.#countManaged(config.name, MANAGED_STATUS) };
    const known = config.kubernetes
      ? this.#kubernetes.statusOf(config.name)
      : this.#engine.get(config.name)?.status;
    return { ...declared, status: known ?? PENDING };
  }

  #countManaged(name: string, status: SourceStatus): SourceStatus {
    const segment = this.#world.segments.get(name);
    return segment
      ? { ...status, servers: segment.servers.nameCount, skills: segment.skills.nameCount }
      : status;
  }
}

export function isSynced(source: SourceConfig): boolean {
  return source.file !== undefined || source.git !== undefined || source.api !== undefined;
}
