import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { BatchedObserver, type Observer } from './batched-observer.ts';

/** All metrics of one process, to be added to those of others. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** The metrics of contract 11. Label values are bounded: route templates, configured source names, fixed outcomes. */
export interface Metrics {
  /** @param route a template such as `/registry/{registry}/v0.1/servers`, never a raw path; @param seconds duration */
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** How many entries of a kind (`server`, `skill`) a source serves now. */
  setEntries(source: string, type: string, count: number): void;
  /** Drops what is known of a source that is gone. */
  forgetSource(source: string): void;
  observeSync(source: string, outcome: 'completed' | 'unchanged' | 'failed', seconds: number): void;
  observeSwap(seconds: number): void;
  countAuthFailure(reason: string): void;
  /** Where requests answered from remembered tokens are counted from now on: on the hot path nothing is counted twice. */
  readTokenCacheHits(read: () => number): void;
  /** The Prometheus text exposition. */
  expose(): Promise<Exposition>;
  /** The same as data. */
  read(): Promise<MetricsSnapshot>;
}

const REQUEST_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SYNC_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const SWAP_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Makes the metrics of one process.
 * @param processMetrics false leaves out the metrics of process and event loop (tests)
 */
export function createMetrics(processMetrics = true): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (processMetrics) collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route template and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const entries = new Gauge({
    name: 'registry_entries',
    help: 'Entries served, by source and type',
    labelNames: ['source', 'type'] as const,
    registers,
  });
  const syncs = new Histogram({
    name: 'registry_sync_duration_seconds',
    help: 'Duration of fetching and compiling a source',
    labelNames: ['source', 'outcome'] as const,
    buckets: SYNC_BUCKETS,
    registers,
  });
  const swaps = new Histogram({
    name: 'registry_bundle_swap_seconds',
    help: 'Duration of building and swapping in the next view',
    buckets: SWAP_BUCKETS,
    registers,
  });
  const authFailures = new Counter({
    name: 'registry_auth_failures_total',
    help: 'Requests refused before they reached a resource, by reason',
    labelNames: ['reason'] as const,
    registers,
  });
  const cacheHits = new Counter({
    name: 'registry_token_cache_hits_total',
    help: 'Requests whose token was remembered as valid',
    registers,
  });
  let hitsBefore = 0;
  let readHits = () => 0;
  const batches: BatchedObserver[] = [];
  const observers = rememberObservers((method, route, status) => {
    const batch = new BatchedObserver(requests.labels(method, route, status));
    batches.push(batch);
    return batch;
  });
  const catchUp = () => {
    for (const batch of batches) batch.flush();
    cacheHits.reset();
    cacheHits.inc(hitsBefore + readHits());
  };

  return {
    observeRequest: (method, route, status, seconds) => observers(method, route, status).observe(seconds),
    setEntries: (source, type, count) => entries.labels(source, type).set(count),
    forgetSource: (source) => {
      for (const type of ['server', 'skill']) entries.remove(source, type);
      for (const outcome of ['completed', 'unchanged', 'failed']) syncs.remove(source, outcome);
    },
    observeSync: (source, outcome, seconds) => syncs.labels(source, outcome).observe(seconds),
    observeSwap: (seconds) => swaps.observe(seconds),
    countAuthFailure: (reason) => authFailures.labels(reason).inc(),
    readTokenCacheHits: (read) => {
      hitsBefore += readHits();
      readHits = read;
    },
    expose: async () => {
      catchUp();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    read: () => {
      catchUp();
      return registry.getMetricsAsJSON();
    },
  };
}

/** Looking labels up costs more than observing, so each combination is looked up once. */
function rememberObservers(make: (method: string, route: string, status: string) => Observer) {
  const byRoute = new Map<string, Map<number, Observer>>();
  return (method: string, route: string, status: number): Observer => {
    let observers = byRoute.get(route);
    if (!observers) {
      observers = new Map();
      byRoute.set(route, observers);
    }
    // -1, a method nobody registered, becomes 0: made-up methods may not grow the metrics.
    const known = METHODS.indexOf(method) + 1;
    const key = known * 1000 + status;
    let observer = observers.get(key);
    if (!observer) {
      observer = make(METHODS[known - 1] ?? 'OTHER', route, String(status));
      observers.set(key, observer);
    }
    return observer;
  };
}
