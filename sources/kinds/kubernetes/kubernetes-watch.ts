import { setMaxListeners } from 'node:events';
import { prepareFilter } from '../../catalog/entry-filter.ts';
import type { SourceConfig } from '../../config/schema.ts';
import type { BerthError } from '../../errors.ts';
import type { Rejection } from '../../model/entry.ts';
import { DEFAULT_GROUP } from './annotations.ts';
import { ClusterConnection } from './cluster-connection.ts';
import { gatherEntries } from './gather-entries.ts';
import { DEFAULT_PACE, type Pace } from './pace.ts';
import { ResourceFeed } from './resource-feed.ts';
import type { ClusterEntry } from './translate-resource.ts';
import { DEFAULT_RESOURCES } from './watched-resource.ts';

/** What a kubernetes source holds at one moment. */
export interface KubernetesState {
  /** In order of name, one per name. */
  readonly entries: readonly ClusterEntry[];
  readonly rejected: readonly Rejection[];
  /** What a person should know although nothing failed: resources the cluster does not have. */
  readonly notes: readonly string[];
  /** What fails at the moment, each once; entries known before stay. Empty while all is well. */
  readonly failures: readonly BerthError[];
  /** False while a resource failed from the start: nothing is known of it yet. */
  readonly isComplete: boolean;
  /** Failures in a row of what fails most. */
  readonly attempts: number;
}

export interface KubernetesWatchOptions {
  readonly source: SourceConfig;
  /** Directory of the configuration file; a relative `kubeconfig` starts here. */
  readonly baseDir: string;
  readonly maxMetaBytes: number;
  /** Whether the cluster may have a private address. */
  readonly allowPrivate: boolean;
  /** Whether a kubeconfig may name a command that obtains credentials: true for sources of the configuration file. */
  readonly allowCommands: boolean;
  readonly pace?: Pace;
  readonly random?: () => number;
  /** Put before the paths of the pod's service account; for tests. */
  readonly root?: string;
}

/**
 * Watches the custom resources of a kubernetes source (contract 2): each resource in each namespace on its own, so that
 * none waits for another, and what happens in one namespace touches nothing of the others.
 */
export class KubernetesWatch {
  readonly #feeds: readonly ResourceFeed[];
  readonly #gatherMs: number;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #told: ReadonlySet<string> = new Set();
  #onChange: (state: KubernetesState) => void = () => {};
  #onTrouble: (error: BerthError) => void = () => {};

  constructor(options: KubernetesWatchOptions) {
    const { source, baseDir, maxMetaBytes, allowPrivate, allowCommands, root } = options;
    const { kubeconfig, namespaces = [], resources, annotationPrefix } = source.kubernetes ?? {};
    const pace = options.pace ?? DEFAULT_PACE;
    this.#gatherMs = pace.gatherMs;
    const deps = {
      connection: new ClusterConnection({
        kubeconfig,
        baseDir,
        allowPrivate,
        allowCommands,
        ...(root === undefined ? {} : { root }),
      }),
      rules: {
        annotationPrefix: annotationPrefix ?? DEFAULT_GROUP,
        filter: prepareFilter(source.filter),
        maxMetaBytes,
      },
      pace,
      random: options.random ?? Math.random,
      onChange: () => this.#schedule(),
    };
    const wanted =
      resources?.map(({ version, ...resource }) => ({ ...resource, versions: [version] })) ??
      DEFAULT_RESOURCES;
    const scopes = namespaces.length === 0 ? [undefined] : [...new Set(namespaces)];
    this.#feeds = wanted.flatMap((resource) =>
      scopes.map((namespace) => new ResourceFeed(resource, namespace, deps)),
    );
  }

  /**
   * Starts watching.
   * @param onChange called first when every resource was listed or failed once, then after each change, bursts as one
   * @param onTrouble called for each failure when it begins (`source_kubernetes_*`, `net_private_address`), after
   *   `onChange`; what fails is tried again with growing pauses
   */
  start(onChange: (state: KubernetesState) => void, onTrouble: (error: BerthError) => void): void {
    // Each feed listens once, however many there are.
    setMaxListeners(0, this.#stopped.signal);
    this.#onChange = onChange;
    this.#onTrouble = onTrouble;
    for (const feed of this.#feeds) void feed.run(this.#stopped.signal);
  }

  /** Ends everything; nothing is called any more. */
  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#timer || this.#stopped.signal.aborted) return;
    if (this.#feeds.some((feed) => feed.state === 'pending' && !feed.failure)) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#tell();
    }, this.#gatherMs).unref();
  }

  #tell(): void {
    const failures = new Map(
      this.#feeds.flatMap(({ failure }) => (failure ? [[failure.describe(), failure]] : [])),
    );
    const attempts = Math.max(0, ...this.#feeds.map((feed) => feed.attempts));
    const notes = new Set(
      this.#feeds.filter(({ state }) => state === 'missing').map(({ wanted }) => noteMissing(wanted)),
    );
    const fresh = [...failures].filter(([text]) => !this.#told.has(text));
    this.#told = new Set(failures.keys());
    this.#onChange({
      ...gatherEntries(this.#feeds),
      notes: [...notes],
      failures: [...failures.values()],
      isComplete: this.#feeds.every(({ state }) => state !== 'pending'),
      attempts,
    });
    for (const [, failure] of fresh) this.#onTrouble(failure);
  }
}

function noteMissing({
  group,
  versions,
  plural,
}: {
  group: string;
  versions: readonly string[];
  plural: string;
}) {
  return `The cluster has no ${plural}.${group} (${versions.join(', ')}).`;
}
