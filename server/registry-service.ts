import { join } from 'node:path';
import type { Config, LoadedConfig, SourceConfig } from '../sources/config/schema.ts';
import { BerthError } from '../sources/errors.ts';
import { normalizeClaims } from '../sources/model/claims.ts';
import type { Segment } from '../sources/model/entry-table.ts';
import type { Compiler } from '../sources/sync/compiler.ts';
import { PENDING, type SourceStatus } from '../sources/sync/source-status.ts';
import { SyncEngine } from '../sources/sync/sync-engine.ts';
import type { SyncEvents } from '../sources/sync/synced-source.ts';
import { HttpError } from './http/problem.ts';
import type { KnownSource } from './source-report.ts';
import { BundleSegment } from './view/bundle-segment.ts';
import { type RegistryPlan, World } from './view/world.ts';

export interface ServiceEvents extends Pick<SyncEvents, 'onSynced' | 'onFailed'> {
  /** Another world is served; `seconds` it took to make it. */
  onSwap(source: string, segment: Segment, seconds: number): void;
  onTrouble(source: string, error: unknown): void;
}

export interface ServiceOptions {
  readonly loaded: LoadedConfig;
  readonly compiler: Compiler;
  readonly events: ServiceEvents;
  readonly now?: () => number;
}

const MANAGED_STATUS: SourceStatus = {
  ...PENDING,
  phase: 'complete',
  message: 'Entries are published, not synchronised.',
};

/** What is served and where it comes from: the world, the sources behind it, and how they are kept up to date. */
export class RegistryService {
  #loaded: LoadedConfig;
  #world: World;
  readonly #engine: SyncEngine;
  readonly #events: ServiceEvents;
  readonly #now: () => number;
  readonly #since = new Map<string, { createdAt: number; updatedAt: number; text: string }>();

  constructor(options: ServiceOptions) {
    const { loaded, compiler, events, now = Date.now } = options;
    this.#loaded = loaded;
    this.#events = events;
    this.#now = now;
    this.#world = World.build(planRegistries(loaded.config), new Map());
    this.#engine = new SyncEngine({
      compiler,
      baseDir: loaded.baseDir,
      dataDir: loaded.dataDir,
      bundleDir: join(loaded.dataDir, 'bundles'),
      maxMetaBytes: loaded.config.limits.maxMetaBytes,
      now,
      onTrouble: events.onTrouble,
      events: {
        onBundle: (source, bundle, status) => {
          const config = this.#findConfig(source.name);
          if (config && status.bundle)
            this.replaceSegment(new BundleSegment(source.name, config.claims, bundle, status.bundle));
        },
        onSynced: events.onSynced,
        onFailed: events.onFailed,
      },
    });
    this.#noteTimes();
  }

  get world(): World {
    return this.#world;
  }

  get loaded(): LoadedConfig {
    return this.#loaded;
  }

  /** Starts synchronising; settles when every source was tried once. */
  start(): Promise<void> {
    return this.#engine.setSources(this.#loaded.config.sources.filter(isSynced));
  }

  /**
   * Takes another configuration over without dropping what is served: claims apply at once, unchanged sources are not
   * fetched again (contract 2).
   */
  reload(loaded: LoadedConfig): void {
    this.#loaded = loaded;
    const segments = new Map<string, Segment>();
    for (const source of loaded.config.sources) {
      const segment = this.#world.segments.get(source.name);
      if (segment) segments.set(source.name, withClaims(segment, source));
    }
    this.#world = World.build(planRegistries(loaded.config), segments);
    this.#noteTimes();
    void this.#engine.setSources(loaded.config.sources.filter(isSynced));
  }

  /** Serves another segment for its source from now on. */
  replaceSegment(segment: Segment): void {
    const started = performance.now();
    this.#world = this.#world.withSegment(segment);
    this.#events.onSwap(segment.source, segment, (performance.now() - started) / 1000);
  }

  listSources(): KnownSource[] {
    return this.#loaded.config.sources.map((config) => this.#describe(config));
  }

  findSource(name: string): KnownSource | undefined {
    const config = this.#findConfig(name);
    return config && this.#describe(config);
  }

  /**
   * Asks for a sync now; one under way is joined (contract 6).
   * @throws HttpError 409 `source_not_syncable`
   */
  requestSync(name: string): SourceStatus {
    const synced = this.#engine.get(name);
    if (!synced)
      throw new HttpError(
        409,
        'source_not_syncable',
        'Entries of this source are not fetched, so there is nothing to sync.',
      );
    void synced.sync();
    return synced.status;
  }

  /**
   * Serves an earlier bundle of a source.
   * @throws HttpError 404 `bundle_unknown`
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
    return this.#engine.close();
  }

  #findConfig(name: string): SourceConfig | undefined {
    return this.#loaded.config.sources.find((source) => source.name === name);
  }

  #describe(config: SourceConfig): KnownSource {
    const since = this.#since.get(config.name);
    const now = this.#now();
    return {
      config,
      creationType: 'CONFIG',
      createdAt: since?.createdAt ?? now,
      updatedAt: since?.updatedAt ?? now,
      status: isSynced(config) ? (this.#engine.get(config.name)?.status ?? PENDING) : MANAGED_STATUS,
    };
  }

  #noteTimes(): void {
    const now = this.#now();
    for (const source of this.#loaded.config.sources) {
      const text = JSON.stringify(source);
      const known = this.#since.get(source.name);
      if (known?.text !== text)
        this.#since.set(source.name, { createdAt: known?.createdAt ?? now, updatedAt: now, text });
    }
  }
}

export function isSynced(source: SourceConfig): boolean {
  return source.file !== undefined || source.git !== undefined || source.api !== undefined;
}

function planRegistries(config: Config): RegistryPlan[] {
  return config.registries.map(({ name, description, claims, sources }) => ({
    name,
    description,
    claims: normalizeClaims(claims),
    sources,
  }));
}

function withClaims(segment: Segment, source: SourceConfig): Segment {
  if (!(segment instanceof BundleSegment)) return segment;
  return new BundleSegment(source.name, source.claims, segment.bundle, segment.record);
}
