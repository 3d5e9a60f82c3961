import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { Exposition, MetricsSnapshot } from '../observe/metrics.ts';

const REQUESTS = 'http_server_request_duration_seconds';
const ONLY_GROWING = new Set<unknown>(['counter', 'histogram']);

/**
 * The metrics of all processes as one exposition: counters and histograms are summed, and what a worker counted before
 * it ended stays counted, up to the last time it was asked.
 */
export class CollectedMetrics {
  /** By number of the worker. */
  readonly #latest = new Map<number, MetricsSnapshot>();
  readonly #departed = new Map<number, MetricsSnapshot>();

  take(worker: number, snapshot: MetricsSnapshot): void {
    this.#latest.set(worker, snapshot);
  }

  /** The worker's process ended; the one that replaces it counts from zero. */
  async retire(worker: number): Promise<void> {
    const last = this.#latest.get(worker);
    this.#latest.delete(worker);
    if (!last) return;
    const growing = last.filter(({ type }) => ONLY_GROWING.has(type));
    const before = this.#departed.get(worker);
    this.#departed.set(worker, growing);
    if (!before) return;
    this.#departed.set(worker, await AggregatorRegistry.aggregate([before, growing]).getMetricsAsJSON());
  }

  /** @param own of the primary process @param serving how many workers take requests */
  async expose(own: MetricsSnapshot, serving: number): Promise<Exposition> {
    const all = [own, ...this.#latest.values(), ...this.#departed.values()];
    const sums = await AggregatorRegistry.aggregate(all).metrics();
    const registry = new Registry();
    new Gauge({
      name: 'registry_workers',
      help: 'Worker processes that take requests',
      registers: [registry],
    }).set(serving);
    const requests = new Counter({
      name: 'registry_worker_requests_total',
      help: 'Requests answered, by number of the worker',
      labelNames: ['worker'] as const,
      registers: [registry],
    });
    for (const counted of [this.#latest, this.#departed]) {
      for (const [worker, snapshot] of counted) requests.labels(String(worker)).inc(countRequests(snapshot));
    }
    return { contentType: registry.contentType, text: `${sums}${await registry.metrics()}` };
  }
}

function countRequests(snapshot: MetricsSnapshot): number {
  let count = 0;
  for (const metric of snapshot) {
    if (metric.name !== REQUESTS) continue;
    for (const value of metric.values)
      if ('metricName' in value && value.metricName === `${REQUESTS}_count`) count += value.value;
  }
  return count;
}
