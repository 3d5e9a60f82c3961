import type { SourceConfig } from '../../sources/config/schema.ts';
import { type KubernetesState, KubernetesWatch } from '../../sources/kinds/kubernetes/kubernetes-watch.ts';
import type { Pace } from '../../sources/kinds/kubernetes/pace.ts';
import type { SourceStatus } from '../../sources/sync/source-status.ts';
import type { SyncEvents } from '../../sources/sync/synced-source.ts';
import type { OverlaySegment } from '../overlay/overlay-segment.ts';
import { ClusterTables } from './cluster-tables.ts';
import { describeState, LISTING } from './kubernetes-status.ts';

export interface KubernetesSourcesOptions {
  readonly baseDir: string;
  readonly maxMetaBytes: number;
  /** Whether a source may lead to private addresses. */
  readonly allowPrivate: (source: string) => boolean;
  /** Whether a source's kubeconfig may name a command. */
  readonly allowCommands: (source: string) => boolean;
  /** Another segment is to be served, before this returns. */
  readonly onSegment: (segment: OverlaySegment) => void;
  readonly events: Pick<SyncEvents, 'onSynced' | 'onFailed'>;
  readonly now?: () => number;
  readonly pace?: Pace;
}

interface Running {
  readonly config: SourceConfig;
  readonly watch: KubernetesWatch;
  /** Settles the start. */
  readonly onTried: () => void;
  status: SourceStatus;
}

/** Keeps all kubernetes sources as their clusters have them. */
export class KubernetesSources {
  readonly #options: KubernetesSourcesOptions;
  readonly #running = new Map<string, Running>();
  /** Outlives a change of the source, so that the times of what stays the same stay too. */
  readonly #tables = new Map<string, ClusterTables>();
  readonly #now: () => number;

  constructor(options: KubernetesSourcesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /**
   * The kubernetes sources from now on: new and changed ones are started, others go on, missing ones stop.
   * @returns a promise that settles when every started source was listed or failed once, or was stopped
   */
  async setSources(configs: readonly SourceConfig[]): Promise<void> {
    const wanted = new Map(configs.map((config) => [config.name, config]));
    for (const [name, { config }] of this.#running) {
      if (!isSameSource(wanted.get(name), config)) this.#stop(name);
    }
    for (const name of this.#tables.keys()) if (!wanted.has(name)) this.#tables.delete(name);
    await Promise.all(
      configs.filter(({ name }) => !this.#running.has(name)).map((config) => this.#start(config)),
    );
  }

  statusOf(name: string): SourceStatus | undefined {
    return this.#running.get(name)?.status;
  }

  close(): void {
    for (const name of [...this.#running.keys()]) this.#stop(name);
  }

  #start(config: SourceConfig): Promise<void> {
    const { baseDir, maxMetaBytes, allowPrivate, allowCommands, events, pace } = this.#options;
    const watch = new KubernetesWatch({
      source: config,
      baseDir,
      maxMetaBytes,
      allowPrivate: allowPrivate(config.name),
      allowCommands: allowCommands(config.name),
      ...(pace ? { pace } : {}),
    });
    return new Promise((resolve) => {
      const running: Running = { config, watch, onTried: resolve, status: LISTING };
      this.#running.set(config.name, running);
      const started = this.#now();
      watch.start(
        (state) => {
          this.#take(running, state, running.status === LISTING ? this.#now() - started : 0);
          resolve();
        },
        (error) => events.onFailed(config, running.status, error, 0),
      );
    });
  }

  #take(running: Running, state: KubernetesState, durationMs: number): void {
    const { config, status: before } = running;
    const { onSegment, events } = this.#options;
    running.status = describeState(before, state, this.#now());
    const segment = this.#apply(config.name, state);
    if (segment) onSegment(segment);
    if (state.failures.length > 0) return;
    // What was rejected before was told before.
    const known = new Set(before.rejected.map((rejection) => JSON.stringify(rejection)));
    const rejected = state.rejected.filter((rejection) => !known.has(JSON.stringify(rejection)));
    const outcome = segment || rejected.length > 0 ? 'changed' : 'unchanged';
    events.onSynced(config, { ...running.status, rejected }, outcome, durationMs);
  }

  /** The segment to be served from now on; undefined when nothing changed, or nothing is known yet. */
  #apply(name: string, { entries, isComplete }: KubernetesState): OverlaySegment | undefined {
    let tables = this.#tables.get(name);
    if (!tables) {
      if (!isComplete && entries.length === 0) return undefined;
      tables = new ClusterTables(name);
      this.#tables.set(name, tables);
    }
    return tables.apply(entries, { now: this.#now(), isComplete });
  }

  #stop(name: string): void {
    const running = this.#running.get(name);
    this.#running.delete(name);
    running?.watch.stop();
    running?.onTried();
  }
}

/** The claims of the source are no entry's, and no watch's business (specification 2.2). */
function isSameSource(a: SourceConfig | undefined, b: SourceConfig): boolean {
  if (!a) return false;
  const { claims: _a, ...settingsA } = a;
  const { claims: _b, ...settingsB } = b;
  return JSON.stringify(settingsA) === JSON.stringify(settingsB);
}
