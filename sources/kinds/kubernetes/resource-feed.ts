import { setTimeout as pause } from 'node:timers/promises';
import { BerthError, messageOf } from '../../errors.ts';
import type { ClusterConnection } from './cluster-connection.ts';
import { type CustomResource, nameResource } from './custom-resource.ts';
import { ExpiredError } from './expired.ts';
import { listResources } from './list-resources.ts';
import { choosePause, type Pace } from './pace.ts';
import { type Translation, type TranslationRules, translateResource } from './translate-resource.ts';
import { type ResourceEvent, watchResources } from './watch-resources.ts';
import { discoverVersion, type ResourceScope, type WantedResource } from './watched-resource.ts';

export interface FeedDeps {
  readonly connection: ClusterConnection;
  readonly rules: Omit<TranslationRules, 'kind'>;
  readonly pace: Pace;
  readonly random: () => number;
  /** Something of the feed is not what it was. */
  readonly onChange: () => void;
}

export type FeedState = 'pending' | 'listed' | 'missing';

/** A watch that ends sooner than this is not taken up again at once. */
const SHORT_WATCH_MS = 1000;
const PASSING: ReadonlySet<string> = new Set(['source_kubernetes_unreachable', 'source_kubernetes_busy']);

/**
 * One resource in one namespace, kept as the cluster has it: listed once, then watched. A watch that ends is taken up
 * where it was; only when the cluster does not know that place any more, or refused to go on, is the list read again.
 * What is known stays known while the cluster does not answer.
 */
export class ResourceFeed {
  readonly wanted: WantedResource;
  readonly namespace: string | undefined;
  readonly #deps: FeedDeps;
  #translations = new Map<string, Translation>();
  #scope: (ResourceScope & { readonly kind: string }) | undefined;
  #state: FeedState = 'pending';
  #failure: BerthError | undefined;
  #attempts = 0;
  /** What ended too soon in a row: each makes the next pause longer. */
  #hurries = 0;

  constructor(wanted: WantedResource, namespace: string | undefined, deps: FeedDeps) {
    this.wanted = wanted;
    this.namespace = namespace;
    this.#deps = deps;
  }

  get state(): FeedState {
    return this.#state;
  }

  /** What went wrong last; undefined while all is well. */
  get failure(): BerthError | undefined {
    return this.#failure;
  }

  /** Failures in a row. */
  get attempts(): number {
    return this.#attempts;
  }

  /** What became of each resource, by its name. */
  get translations(): ReadonlyMap<string, Translation> {
    return this.#translations;
  }

  /** Lists and watches until the signal says stop; throws nothing. */
  async run(signal: AbortSignal): Promise<void> {
    let version: string | undefined;
    while (!signal.aborted) {
      let wait: number;
      try {
        version ??= await this.#list(signal);
        if (version === undefined) {
          wait = this.#deps.pace.missingMs;
        } else {
          await this.#watch(version, signal, (seen) => {
            version = seen;
          });
          wait = this.#hurries > 0 ? this.#pause() : 0;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!isPassing(error)) version = undefined;
        if (!(error instanceof ExpiredError)) this.#fail(error);
        this.#hurries++;
        wait = this.#pause();
      }
      await pause(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #list(signal: AbortSignal): Promise<string | undefined> {
    const { connection, onChange } = this.#deps;
    let list = this.#scope && (await listResources(connection, this.#scope, signal));
    if (!list) {
      // Perhaps under another version than before.
      this.#scope = await this.#discover(signal);
      list = this.#scope && (await listResources(connection, this.#scope, signal));
    }
    if (signal.aborted) return undefined;
    this.#translations = new Map();
    for (const resource of list?.resources ?? []) this.#keep(resource);
    this.#state = list ? 'listed' : 'missing';
    // What failed before is well again when it can be watched too.
    if (!list) this.#recover();
    onChange();
    return list?.resourceVersion;
  }

  async #discover(signal: AbortSignal) {
    const { group, plural } = this.wanted;
    const found = await discoverVersion(this.#deps.connection, this.wanted, signal);
    return found && { group, plural, namespace: this.namespace, ...found };
  }

  async #watch(from: string, signal: AbortSignal, seen: (version: string) => void): Promise<void> {
    if (!this.#scope) return;
    const events = await watchResources(this.#deps.connection, this.#scope, from, signal);
    if (this.#failure) {
      this.#recover();
      this.#deps.onChange();
    }
    const opened = performance.now();
    try {
      for await (const event of events) {
        if (signal.aborted) return;
        if (event.type !== 'BOOKMARK') this.#take(event);
        const version = event.object.metadata.resourceVersion;
        if (version) seen(version);
      }
    } finally {
      this.#hurries = performance.now() - opened < SHORT_WATCH_MS ? this.#hurries + 1 : 0;
    }
  }

  #take({ type, object }: Exclude<ResourceEvent, { type: 'BOOKMARK' }>): void {
    if (type === 'DELETED') this.#translations.delete(nameResource(object));
    else this.#keep(object);
    this.#deps.onChange();
  }

  #keep(resource: CustomResource): void {
    const rules = { ...this.#deps.rules, kind: this.#scope?.kind ?? this.wanted.plural };
    this.#translations.set(nameResource(resource), translateResource(resource, rules));
  }

  #recover(): void {
    this.#failure = undefined;
    this.#attempts = 0;
  }

  #fail(error: unknown): void {
    this.#failure =
      error instanceof BerthError
        ? error
        : new BerthError('source_kubernetes_failed', messageOf(error), { cause: error });
    this.#attempts++;
    this.#deps.onChange();
  }

  #pause(): number {
    return choosePause(this.#hurries, this.#deps.pace, this.#deps.random);
  }
}

/** Nothing is lost by what passes: the watch goes on where it was. */
function isPassing(error: unknown): boolean {
  return error instanceof BerthError && PASSING.has(error.code);
}
