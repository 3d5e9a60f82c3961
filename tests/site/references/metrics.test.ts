import { expect, it } from 'vitest';
import { refuse } from '../../../server/auth/refusal.ts';
import { createMetrics } from '../../../server/observe/metrics.ts';
import { CollectedMetrics } from '../../../server/workers/collected-metrics.ts';
import { findRefusals } from '../../../site/references/metrics/find-refusals.ts';
import { findRegistryMetrics } from '../../../site/references/metrics/find-registry-metrics.ts';
import { readProxyMetrics } from '../../../site/references/metrics/read-proxy-metrics.ts';
import { loadProgram } from '../../../site/references/source-code/load-program.ts';
import { readPage } from './written-pages.ts';

const program = loadProgram();

it('has every metric that a service exposes, with its type and help', async () => {
  const { text } = await new CollectedMetrics().expose(await createMetrics().read(), 2);
  const exposed = [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\w+)$/gm)]
    .map(([, name, help, type]) => ({ name, help, type }))
    .filter(({ name }) => !/^(process|nodejs)_/.test(name ?? ''))
    .sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
  expect(exposed.length).toBeGreaterThan(5);
  const written = findRegistryMetrics(program).map(({ name, help, type }) => ({ name, help, type }));
  expect(written).toEqual(exposed);
});

it('names the labels of a metric', () => {
  const metric = findRegistryMetrics(program).find(({ name }) => name === 'registry_sync_duration_seconds');
  expect(metric).toMatchObject({ type: 'histogram', labels: ['source', 'outcome'] });
});

it('tells what a caller is told of a reason', () => {
  const reasons = findRefusals(program);
  expect(reasons.length).toBeGreaterThan(10);
  expect(reasons).toContainEqual({ reason: 'expired', description: refuse('expired').description });
});

it('reads the metrics of a workload as they are told, under both names', async () => {
  const metrics = await readProxyMetrics();
  expect(metrics.map(({ name, prometheusName, type }) => [name, prometheusName, type])).toEqual([
    ['berth_mcp_active_connections', 'berth_mcp_active_connections', 'gauge'],
    ['berth_mcp_request_duration', 'berth_mcp_request_duration', 'histogram'],
    ['berth_mcp_requests', 'berth_mcp_requests_total', 'counter'],
    ['berth_mcp_tool_calls', 'berth_mcp_tool_calls_total', 'counter'],
    ['mcp.server.operation.duration', 'mcp_server_operation_duration', 'histogram'],
  ]);
  const calls = metrics.find(({ name }) => name === 'berth_mcp_tool_calls');
  expect(calls?.attributes).toContain('gen_ai.tool.name');
  expect(calls?.legacyAttributes).toEqual(['server', 'transport']);
});

it('names the attributes of spans', () => {
  const text = readPage('metrics.md');
  for (const name of [
    'http.route',
    'berth.request_id',
    'mcp.method.name',
    'gen_ai.tool.name',
    'mcp.tool.name',
  ])
    expect(text).toContain(`- \`${name}\``);
});
