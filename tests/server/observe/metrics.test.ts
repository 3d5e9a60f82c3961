import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../server/observe/metrics.ts';

describe('createMetrics', () => {
  it('exposes every metric of the contract under its name and labels', async () => {
    const metrics = createMetrics();
    metrics.observeRequest('GET', '/registry/{registry}/v0.1/servers', 200, 0.0007);
    metrics.observeRequest('GET', '/registry/{registry}/v0.1/servers', 200, 0.2);
    metrics.setEntries('team', 'server', 12);
    metrics.observeSync('team', 'completed', 0.4);
    metrics.observeSwap(0.002);
    metrics.countAuthFailure('expired');
    metrics.readTokenCacheHits(() => 1);
    const { contentType, text } = await metrics.expose();
    expect(contentType).toContain('text/plain');
    const labels = 'method="GET",route="/registry/{registry}/v0.1/servers",status="200"';
    for (const line of [
      `http_server_request_duration_seconds_bucket{le="0.0005",${labels}} 0`,
      `http_server_request_duration_seconds_bucket{le="0.001",${labels}} 1`,
      `http_server_request_duration_seconds_bucket{le="10",${labels}} 2`,
      `http_server_request_duration_seconds_count{${labels}} 2`,
      'registry_entries{source="team",type="server"} 12',
      'registry_sync_duration_seconds_count{source="team",outcome="completed"} 1',
      'registry_bundle_swap_seconds_count 1',
      'registry_auth_failures_total{reason="expired"} 1',
      'registry_token_cache_hits_total 1',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('does not grow with made-up methods', async () => {
    const metrics = createMetrics(false);
    for (let i = 0; i < 50; i++) metrics.observeRequest(`M${i}`, '/x', 405, 0.001);
    const { text } = await metrics.expose();
    expect(text).toContain(
      'http_server_request_duration_seconds_count{method="OTHER",route="/x",status="405"} 50',
    );
  });

  it('forgets a source that is gone', async () => {
    const metrics = createMetrics(false);
    metrics.setEntries('gone', 'skill', 1);
    metrics.observeSync('gone', 'failed', 1);
    metrics.forgetSource('gone');
    expect((await metrics.expose()).text).not.toContain('gone');
  });
});
