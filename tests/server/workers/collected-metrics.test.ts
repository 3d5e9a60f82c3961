import { describe, expect, it } from 'vitest';
import { createMetrics, type Metrics } from '../../../server/observe/metrics.ts';
import { CollectedMetrics } from '../../../server/workers/collected-metrics.ts';

const ROUTE = '/registry/{registry}/v0.1/servers';
const COUNT = `http_server_request_duration_seconds_count{method="GET",route="${ROUTE}",status="200"}`;

function answer(metrics: Metrics, times: number): void {
  for (let n = 0; n < times; n++) metrics.observeRequest('GET', ROUTE, 200, 0.002);
}

async function expose(collected: CollectedMetrics, own: Metrics, serving = 2): Promise<string[]> {
  return (await collected.expose(await own.read(), serving)).text.split('\n');
}

describe('metrics of several processes', () => {
  it('are sums, and what an ended worker counted stays counted', async () => {
    const own = createMetrics();
    own.setEntries('team', 'server', 3);
    const collected = new CollectedMetrics();
    const [first, second] = [createMetrics(), createMetrics()];
    answer(first, 3);
    answer(second, 4);
    first.countAuthFailure('expired');
    second.countAuthFailure('expired');
    second.readTokenCacheHits(() => 5);
    collected.take(1, await first.read());
    collected.take(2, await second.read());
    const lines = await expose(collected, own);
    expect(lines).toContain(`${COUNT} 7`);
    expect(lines).toContain(
      `http_server_request_duration_seconds_bucket{le="0.0025",method="GET",route="${ROUTE}",status="200"} 7`,
    );
    expect(lines).toContain('registry_auth_failures_total{reason="expired"} 2');
    expect(lines).toContain('registry_token_cache_hits_total 5');
    expect(lines).toContain('registry_entries{source="team",type="server"} 3');
    expect(lines).toContain('registry_worker_requests_total{worker="1"} 3');
    expect(lines).toContain('registry_workers 2');

    for (const replaced of [1, 2]) {
      await collected.retire(1);
      const next = createMetrics();
      answer(next, 10);
      collected.take(1, await next.read());
      const after = await expose(collected, own);
      expect(after).toContain(`${COUNT} ${7 + replaced * 10}`);
      expect(after).toContain(`registry_worker_requests_total{worker="1"} ${3 + replaced * 10}`);
      expect(after).toContain('registry_auth_failures_total{reason="expired"} 2');
    }
  });

  it('are each described once', async () => {
    const collected = new CollectedMetrics();
    collected.take(1, await createMetrics().read());
    const lines = await expose(collected, createMetrics());
    const names = lines.filter((line) => line.startsWith('# TYPE'));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('# TYPE process_resident_memory_bytes gauge');
  });
});
